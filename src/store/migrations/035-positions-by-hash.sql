-- A posting's position is looked up one by one while a large board is read: without this each look went through all positions of the company.
create index positions_hash on positions (company_id, job_hash);
