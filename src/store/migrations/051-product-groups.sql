-- The same product in several shops. `match_name` and `gtin` are what offers are compared by; a group is named by its barcode, or by the name where nobody says one.
-- Offers of before are compared a few at a time, by their title.
alter table products
  add column group_id uuid,
  add column match_name uuid,
  add column gtin text,
  -- What the rule reads besides the title: brand, size, condition. Null: stored before this.
  add column identity jsonb,
  add column match_due boolean not null default true;
create index products_match on products (match_name) where match_name is not null;
create index products_group on products (group_id) where group_id is not null;
create index products_match_due on products (key) where match_due;
