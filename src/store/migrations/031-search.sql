-- What items are filtered and counted by: one array of labels an item (`source:indeed`, `country:US`, `skill:python`), with one index. A filter by several of them is
-- answered from the index, whatever the combination, and facets count labels.

-- Of every place, not only of the first. Written once when the posting is: reading it back would unpack the description.
create function posting_labels(source text, company text, remote_type text, data jsonb) returns text[] language sql immutable parallel safe as $$
  select array(
    select distinct left(label, 200) from (
      values ('source:' || source), ('company:' || left(company, 190)), ('remote_type:' || remote_type), ('seniority:' || (data ->> 'seniority')),
        ('currency:' || (data ->> 'currency')), ('salary_interval:' || (data ->> 'salary_interval'))
      union all select 'country:' || (c #>> '{}') from jsonb_path_query(data, '$.locations[0 to 49].country ? (@.type() == "string")') c
      union all select 'job_type:' || (t #>> '{}') from jsonb_path_query(data, '$.job_types[0 to 19] ? (@.type() == "string")') t
      union all select 'skill:' || lower(s #>> '{}') from jsonb_path_query(data, '$.skills[0 to 99] ? (@.type() == "string")') s
    ) labels(label) where label is not null
  )
$$;

-- The statistics of an array keep its most frequent elements: with more of them the planner knows rare skills and companies from frequent ones.
set local maintenance_work_mem = '256MB';
alter table postings add column labels text[] generated always as (posting_labels(source, company, remote_type, data)) stored;
alter table postings alter column labels set statistics 500;
create index postings_labels on postings using gin (labels);

-- Small, and of columns: no table is written again for them.
create function article_labels(label text, category text, host text, language text, author text) returns text[] language sql immutable parallel safe as $$
  select array_remove(array[left('source:' || label, 200), left('category:' || category, 200), left('host:' || host, 200), left('language:' || language, 200),
    'author:' || left(author, 190)], null)
$$;
create index articles_labels on articles using gin (article_labels(label, category, host, language, author)) where search_vector is not null;

create function product_labels(source text, seller text, zipcode text, currency text) returns text[] language sql immutable parallel safe as $$
  select array_remove(array['source:' || source, 'seller:' || left(seller, 190), 'zipcode:' || zipcode, 'currency:' || currency], null)
$$;
create index products_labels on products using gin (product_labels(source, seller, zipcode, currency));

-- The names that items have, each once, so that a name with a typo is compared with names and not with items.
create table item_names (
  -- `company`, `author` or `seller`.
  kind text not null,
  name text not null,
  seen_on date not null default current_date,
  primary key (kind, name)
);
create index item_names_start on item_names (kind, lower(left(name, 2)), name);
create index item_names_age on item_names (kind, seen_on);
insert into item_names (kind, name)
  select distinct 'company', left(company, 190) from postings where company is not null
  union select distinct 'author', left(author, 190) from articles where search_vector is not null and author is not null
  union select distinct 'seller', left(seller, 190) from products where seller is not null;

-- Where the server has it, and where we may: else names that begin with the same two letters are compared (store/names/similar.ts).
do $$ begin
  create extension if not exists pg_trgm;
exception when insufficient_privilege or undefined_file or feature_not_supported then
  raise notice 'pg_trgm is not available';
end $$;
do $$ begin
  if to_regproc('word_similarity') is not null then
    create index item_names_similar on item_names using gin (name gin_trgm_ops);
  end if;
end $$;
