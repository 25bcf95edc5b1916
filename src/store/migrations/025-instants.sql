-- Dates of pages are kept as they are written (a day, a time with an offset). Compared and sorted as texts, 23:00-05:00 came before 01:00Z of the same day;
-- as instants it does not. A day is its midnight in UTC. What is no date has no instant: nothing that a page says can make this fail.
create function instant_of(written text) returns timestamptz language sql immutable strict parallel safe as $$
  select (
    (make_date(p[1]::int, p[2]::int, 1) + coalesce(p[3]::int, 1) - 1)::timestamp
    + make_interval(hours => coalesce(p[4]::int, 0), mins => coalesce(p[5]::int, 0), secs => coalesce(p[6]::float8, 0))
    - make_interval(mins => coalesce((p[7] || '1')::int * (p[8]::int * 60 + coalesce(p[9]::int, 0)), 0))
  ) at time zone 'utc'
  from regexp_match(
    written,
    '^([12]\d{3})-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01])(?:[T ](\d{2}):(\d{2})(?::(\d{2}(?:\.\d{1,6})?)\d*)?(?:Z|([+-])(\d{2}):?(\d{2})?)?)?)?$'
  ) as p
$$;

drop index articles_published;
create index articles_published on articles ((coalesce(instant_of(published_at), '-infinity')), key) where search_vector is not null;
drop index postings_posted;
create index postings_posted on postings ((coalesce(instant_of(posted_at), '-infinity')), key);
