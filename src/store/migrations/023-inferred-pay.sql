-- Pay whose interval was concluded from the size of the amount, or corrected by it: too uncertain for percentiles.
alter table postings add column pay_inferred boolean not null
  generated always as (coalesce((data #> '{salary,flags}') ?| array['interval_inferred', 'interval_corrected'], false)) stored;
