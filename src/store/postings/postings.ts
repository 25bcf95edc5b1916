// Postings: one row per advertisement, whichever task found it, and a link from the task to each.
import { keyOf } from '../../model/ids.ts';
import type { Posting } from '../../model/posting/posting.ts';
import type { ItemBatch } from '../items/items.ts';
import { NO_ORIGINS, type OriginIds } from '../items/origins.ts';
import type { Client } from '../postgres/pool.ts';
import { pgJson, pgText, plainArray, textArray } from '../postgres/text.ts';

export const postingKey = (posting: Posting): string => keyOf(`posting:${posting.job_hash}`);

/** Places within a task are numbered by part, so that a part stored twice lands on itself. */
const PLACES_PER_PART = 100_000;
/** Writing out the values of more would hold the process for too long at a time. */
const ROWS_PER_STATEMENT = 250;

export async function savePostings(
  client: Client,
  itemBatches: ItemBatch<Posting>[],
  originIds: OriginIds = NO_ORIGINS,
): Promise<void> {
  const links = itemBatches.flatMap((one) =>
    one.items.map((posting, index) => ({
      taskId: one.taskId,
      pos: one.part * PLACES_PER_PART + index,
      key: postingKey(posting),
      posting,
      attempt: one.attempt,
      origins: originIds(one, index),
    })),
  );
  if (links.length === 0) return;
  const byKey = new Map(links.map((link) => [link.key, link]));
  const rows = [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT)
    await writePostings(client, rows.slice(at, at + ROWS_PER_STATEMENT));
  await client.query({
    name: 'link-task-items',
    text: `insert into task_items (task_id, pos, item_key) select * from unnest($1::uuid[], $2::int[], $3::uuid[]) on conflict do nothing`,
    values: [
      plainArray(links.map((link) => link.taskId)),
      plainArray(links.map((link) => link.pos)),
      plainArray(links.map((link) => link.key)),
    ],
  });
}

interface PostingRow {
  key: string;
  taskId: string;
  posting: Posting;
  attempt: number;
  origins: string | null;
}

async function writePostings(client: Client, rows: PostingRow[]): Promise<void> {
  const column = (pick: (posting: Posting) => string | null): string =>
    textArray(rows.map((row) => pgText(pick(row.posting))));
  await client.query({
    name: 'save-postings',
    text: `insert into postings (key, source, external_id, job_hash, fingerprint, title, company, location, remote_type, posted_at, data, task_id, origins_id, attempt)
           select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
             $10::text[], $11::jsonb[], $12::uuid[], $13::bigint[], $14::smallint[])
           on conflict (key) do update set fingerprint = excluded.fingerprint, title = excluded.title, company = excluded.company,
             location = excluded.location, remote_type = excluded.remote_type, posted_at = excluded.posted_at, data = excluded.data,
             task_id = excluded.task_id, origins_id = excluded.origins_id, attempt = excluded.attempt, last_seen_at = now(),
             group_due = postings.group_due or postings.fingerprint is distinct from excluded.fingerprint
               or postings.data -> 'apply_url' is distinct from excluded.data -> 'apply_url'
               or postings.data -> 'description' is distinct from excluded.data -> 'description'`,
    values: [
      plainArray(rows.map((row) => row.key)),
      column((posting) => posting.source),
      column((posting) => posting.external_id),
      column((posting) => posting.job_hash),
      column((posting) => posting.fingerprint),
      column((posting) => posting.title),
      column((posting) => posting.company),
      column((posting) => posting.location),
      column((posting) => posting.remote_type),
      column((posting) => posting.posted_at),
      textArray(rows.map((row) => pgJson(row.posting))),
      plainArray(rows.map((row) => row.taskId)),
      plainArray(rows.map((row) => row.origins)),
      plainArray(rows.map((row) => row.attempt)),
    ],
  });
}
