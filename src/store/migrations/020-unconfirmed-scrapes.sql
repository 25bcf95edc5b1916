-- How many postings the last full scrape of a company found, if that was too few to be believed at once: a second one like it closes the others.
alter table companies add column unconfirmed int;
