-- The same job on several boards is one group; and what lists of postings are filtered and sorted by.

alter table postings
  -- Which job: the same for every posting of it. Null until it was looked at.
  add column group_id uuid,
  -- Names under which it may meet its like (model/same-posting.ts), hashed: companies and places, addresses to apply at.
  add column meeting_keys uuid[],
  -- It has to be looked at: it is new, or what it is compared by has changed.
  add column group_due boolean not null default true,
  -- Yearly, in its own currency; for "at least".
  add column salary_annual numeric generated always as
    (coalesce((data #>> '{salary_annual,max}')::numeric, (data #>> '{salary_annual,min}')::numeric)) stored,
  -- A: title, D: the rest; English stems. B: company, C: location, as they are spelled, for filters by those alone. A text beyond a book's
  -- length is cut: the type has a limit, and a posting must not fail for it.
  add column words tsvector generated always as (
    setweight(to_tsvector('english', left(title, 2000)), 'A')
    || setweight(to_tsvector('simple', left(coalesce(company, ''), 1000)), 'B')
    || setweight(to_tsvector('simple', left(coalesce(location, ''), 1000)), 'C')
    || setweight(to_tsvector('english', left(coalesce(company, ''), 1000) || ' ' || left(coalesce(location, ''), 1000) || ' '
         || left(coalesce(data ->> 'description', ''), 100000)), 'D')
  ) stored;

create index postings_due on postings (first_seen_at, key) where group_due;
create index postings_meeting on postings using gin (meeting_keys);
create index postings_group on postings (group_id, first_seen_at);
create index postings_words on postings using gin (words);
-- One for each order that lists have; nulls as the least of their kind, so that a cursor can compare.
create index postings_first_seen on postings (first_seen_at, key);
create index postings_posted on postings ((coalesce(posted_at, '') collate "C"), key);
create index postings_salary on postings ((coalesce(salary_annual, -1)), key);
