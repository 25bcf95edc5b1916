// The columns of postings in a table for spreadsheets, the same wherever one is written.

export const POSTING_COLUMNS = [
  'title',
  'company',
  'location',
  'remote_type',
  'salary_min',
  'salary_max',
  'currency',
  'salary_interval',
  'job_url',
  'posted_date',
  'source',
  'description',
  'job_hash',
] as const;

/** Of those that are not text. */
export const POSTING_TYPES = { salary_min: 'number', salary_max: 'number' } as const;
