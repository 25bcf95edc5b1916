-- What a shelf held near a place when it was last looked at, one row a cart item and place however many carts ask, and prices over time.

create table shelves (
  key uuid primary key,
  products jsonb not null,
  task_id uuid,
  scraped_at timestamptz not null
);
create index shelves_age on shelves (scraped_at);

create table prices (
  at timestamptz not null default now(),
  -- The product's own id where the page gave one, else its title and seller.
  product text not null,
  title text not null,
  seller text,
  zipcode text,
  source text not null,
  currency text not null,
  price_minor bigint not null
);
create index prices_product on prices (product, at);
create index prices_time on prices using brin (at);

-- Carts are kept for an hour, among runs that are kept for a month.
create index runs_cart_age on runs (finished_at) where kind = 'cart';
