-- Tables and columns by the usual names of what they are.

-- Submissions of a burst that are accepted and not yet written out. The texts become one line a submission, after a line with what their tasks have in common,
-- so that one run can be read without the others; and every row has the ids of its runs.
alter table arrivals rename to submission_spool;
alter index arrivals_pkey rename to submission_spool_pkey;
alter sequence arrivals_seq_seq rename to submission_spool_seq_seq;
alter table submission_spool rename column arrived_at to spooled_at;
alter table submission_spool alter column run_ids drop default;
update submission_spool set
  run_ids = (
    select string_agg(s ->> 'runId', ',' order by n) from json_array_elements(submissions::json -> 'submissions') with ordinality as e(s, n)
  ),
  submissions = (submissions::json -> 'shapes')::text || (
    select string_agg(e'\n' || s::text, '' order by n) from json_array_elements(submissions::json -> 'submissions') with ordinality as e(s, n)
  );

-- What one search of one cart item near one place found.
alter table shelves rename to cart_search_results;
alter index shelves_pkey rename to cart_search_results_pkey;
alter index shelves_age rename to cart_search_results_age;
alter index shelves_due rename to cart_search_results_due;

-- What full-text search looks into.
alter table postings rename column words to search_vector;
alter index postings_words rename to postings_search;
alter table products rename column words to search_vector;
alter index products_words rename to products_search;
alter table articles rename column words to search_vector;
alter table articles rename column words_due to search_due;
alter index articles_words rename to articles_search;
