// Alerts in the API: schemas, examples, views, and how a request becomes an alert.
import { z } from 'zod';
import type { FieldError } from '../../model/errors.ts';
import { INTERVALS, REMOTE_TYPES } from '../../model/posting/posting.ts';
import type { Alert, AlertInput, AlertSearch, Match } from '../../store/alerts/alerts.ts';
import { SEARCH_FILTERS } from '../postings/routes.ts';
import { nameSchemas } from '../validation/named.ts';
import { timeOf } from '../validation/times.ts';
import { invalid } from '../validation/validators.ts';

export const Search = z.strictObject(SEARCH_FILTERS).meta({
  description: 'Parameters of `GET /postings`. Empty: every new posting.',
});

const fields = {
  name: z.string().regex(/\S/).max(200),
  search: Search,
  active: z
    .boolean()
    .meta({ description: '`false` pauses the alert. Postings found while it is paused are not matched.' }),
  webhook_url: z
    .string()
    .max(2_000)
    .nullable()
    .meta({ description: 'Receives the event `alert.matched`, signed with the secret from `GET /webhooks/secret`.' }),
  file: z.string().max(100).nullable().meta({
    description:
      'File name such as `python.ndjson` (one JSON line per match) or `python.csv` (one row per match), in the alert folder of the server.',
  }),
};

export const AlertBody = z.strictObject({
  ...fields,
  active: fields.active.default(true),
  webhook_url: fields.webhook_url.default(null),
  file: fields.file.default(null),
});

export const AlertPatch = z
  .strictObject({
    ...fields,
    new_feed_token: z.boolean().meta({ description: '`true` gives the feed a new URL. The old URL stops working.' }),
  })
  .partial();

export const PreviewBody = z.strictObject({ search: Search });

export const AlertView = z.object({
  id: z.string(),
  ...fields,
  search: z.looseObject({}),
  feed_url: z.string().meta({ description: 'Atom, or RSS with `&format=rss`. Anyone who has the URL can read it.' }),
  created_at: z.string(),
  updated_at: z.string(),
  last_matched_at: z.string().nullable(),
});

export const NoticeView = z.object({
  job_hash: z.string(),
  source: z.string(),
  title: z.string(),
  company: z.string().nullable(),
  location: z.string().nullable(),
  remote_type: z.enum(REMOTE_TYPES).nullable(),
  salary_min: z.number().nullable(),
  salary_max: z.number().nullable(),
  currency: z.string().nullable(),
  salary_interval: z.enum(INTERVALS).nullable(),
  job_url: z.string().nullable(),
  posted_date: z.string().nullable(),
  first_seen_at: z.string(),
  group_id: z.string().nullable(),
});

export const MatchView = z.object({ announced_at: z.string(), posting: NoticeView });
nameSchemas({ Alert: AlertView, Notice: NoticeView, Match: MatchView });

export const NOTICE_EXAMPLE = {
  job_hash: '5d2f0e1f8f7c5f0b5a8d1f0c3e9b7a6d4c2b1a0f9e8d7c6b5a4f3e2d1c0b9a8f',
  source: 'greenhouse',
  title: 'Python Developer',
  company: 'Acme',
  location: 'Berlin',
  remote_type: 'remote',
  salary_min: 70_000,
  salary_max: 90_000,
  currency: 'EUR',
  salary_interval: 'year',
  job_url: 'https://example.com/jobs/1',
  posted_date: '2026-02-04',
  first_seen_at: '2026-02-04T07:00:09.000Z',
  group_id: 'grp_0a1b2c3d4e5f60718293a4b5c6d7e8f9',
} as const;

export const MATCH_EXAMPLE = { announced_at: '2026-02-04T07:00:12.000Z', posting: NOTICE_EXAMPLE };

export const ALERT_BODY_EXAMPLE = {
  name: 'Remote Python',
  search: { q: 'python -senior', remote_type: 'remote' },
  file: 'python.ndjson',
};

export const ALERT_EXAMPLE = {
  id: 'alr_01890a5d7e8f70008a1b2c3d4e5f6071',
  ...ALERT_BODY_EXAMPLE,
  active: true,
  webhook_url: null,
  feed_url: 'http://127.0.0.1:8000/alerts/alr_01890a5d7e8f70008a1b2c3d4e5f6071/feed?token=9oXw…',
  created_at: '2026-02-03T10:00:00.000Z',
  updated_at: '2026-02-03T10:00:00.000Z',
  last_matched_at: '2026-02-04T07:00:12.000Z',
};

/** `origin`: the origin that the caller used, for the feed URL. */
export const alertView = (alert: Alert, origin: string) => ({
  id: alert.id,
  name: alert.name,
  search: alert.search,
  active: alert.active,
  webhook_url: alert.webhookUrl,
  file: alert.file,
  feed_url: feedUrl(alert, origin),
  created_at: alert.createdAt.toISOString(),
  updated_at: alert.updatedAt.toISOString(),
  last_matched_at: alert.lastMatchedAt?.toISOString() ?? null,
});

export const feedUrl = (alert: Alert, origin: string): string =>
  `${origin}/alerts/${alert.id}/feed?token=${alert.feedToken}`;

export const matchView = ({ announcedAt, notice }: Match) => ({
  announced_at: announcedAt.toISOString(),
  posting: notice,
});

const FILE = /^[a-z0-9][a-z0-9._-]{0,79}\.(?:ndjson|csv)$/i;

/** The alert of a body; 422 when it is not valid. `before` is the alert to change. */
export function alertInput(body: z.output<typeof AlertPatch>, before: Alert | null): AlertInput {
  const errors: FieldError[] = [];
  const file = body.file === undefined ? (before?.file ?? null) : body.file;
  const name = (body.name ?? before?.name ?? '').trim();
  if (name === '') errors.push({ pointer: '/name', detail: 'must not be empty' });
  if (file !== null && !FILE.test(file))
    errors.push({
      pointer: '/file',
      detail:
        'has to be the name of a file such as python.ndjson: letters, digits, ".", "_" and "-", ending in .ndjson or .csv; the folder is the server\'s',
    });
  if (errors.length > 0) throw invalid(errors, 'body');
  return {
    name,
    search: body.search === undefined ? (before?.search ?? {}) : savedSearch(body.search),
    active: body.active ?? before?.active ?? true,
    webhookUrl: body.webhook_url === undefined ? (before?.webhookUrl ?? null) : body.webhook_url,
    file,
  };
}

/** As stored: a day becomes the time it begins at, so that it can be compared with the dates of postings. */
export function savedSearch(search: z.output<typeof Search>): AlertSearch {
  const { posted_after } = search;
  if (posted_after === undefined) return search;
  return { ...search, posted_after: timeOf('search/posted_after', posted_after).toISOString() };
}
