// Notices of postings, read from the store without the pages of text that postings hold.
import { type Notice, toNotice } from '../../model/posting/notice.ts';

export interface NoticeRow extends Omit<Notice, 'first_seen_at'> {
  first_seen_at: Date;
}

/** Of a row `p` of postings. */
export const NOTICE_COLUMNS = `p.job_hash, p.source, p.title, p.company, p.location, p.remote_type, (p.data ->> 'salary_min')::float8 as salary_min,
  (p.data ->> 'salary_max')::float8 as salary_max, p.data ->> 'currency' as currency, p.data ->> 'salary_interval' as salary_interval,
  p.data ->> 'job_url' as job_url, p.data ->> 'posted_date' as posted_date, p.first_seen_at,
  'grp_' || replace(p.group_id::text, '-', '') as group_id`;

export const noticeOf = (row: NoticeRow): Notice =>
  toNotice({
    job_hash: row.job_hash,
    source: row.source,
    title: row.title,
    company: row.company,
    location: row.location,
    remote_type: row.remote_type,
    salary_min: row.salary_min,
    salary_max: row.salary_max,
    currency: row.currency,
    salary_interval: row.salary_interval,
    job_url: row.job_url,
    posted_date: row.posted_date,
    first_seen_at: row.first_seen_at.toISOString(),
    group_id: row.group_id,
  });
