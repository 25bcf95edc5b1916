-- What postings ask for and offer, as labels: the degree that is enough, whole years of experience at least, whether visas are sponsored, and the kind of contract. Older postings have no such fields,
-- so nothing is written again.
create or replace function posting_labels(source text, company text, remote_type text, data jsonb) returns text[] language sql immutable parallel safe as $$
  select array(
    select distinct left(label, 200) from (
      values ('source:' || source), ('company:' || left(company, 190)), ('remote_type:' || remote_type), ('seniority:' || (data ->> 'seniority')),
        ('currency:' || (data ->> 'currency')), ('salary_interval:' || (data ->> 'salary_interval')), ('degree:' || (data ->> 'degree')),
        ('visa_sponsorship:' || (data ->> 'visa_sponsorship')),
        ('experience:' || case jsonb_typeof(data #> '{experience_years,min}') when 'number' then least(30, floor((data #> '{experience_years,min}')::numeric))
          when 'null' then 0 end)
      union all select 'country:' || (c #>> '{}') from jsonb_path_query(data, '$.locations[0 to 49].country ? (@.type() == "string")') c
      union all select 'job_type:' || (t #>> '{}') from jsonb_path_query(data, '$.job_types[0 to 19] ? (@.type() == "string")') t
      union all select 'contract_kind:' || (k #>> '{}') from jsonb_path_query(data, '$.contract_kinds[0 to 9] ? (@.type() == "string")') k
      union all select 'skill:' || lower(s #>> '{}') from jsonb_path_query(data, '$.skills[0 to 99] ? (@.type() == "string")') s
    ) labels(label) where label is not null
  )
$$;
