// Saved pages of failed attempts, without their files. Bounded three ways: by age, by number for each source and cause, and by the size of all.
import type { Pool } from 'pg';
import { type PictureType, SUSPECT } from '../../model/evidence/evidence.ts';
import { ofOwner } from '../postgres/of-owner.ts';
import { query, transaction } from '../postgres/pool.ts';
import { pgText, plainArray, textArray } from '../postgres/text.ts';

export interface Evidence {
  id: string;
  seq: string;
  taskId: string;
  attempt: number;
  runId: string;
  source: string;
  code: string;
  worker: string;
  url: string;
  status: number;
  mediaType: string;
  pageChars: number;
  isCut: boolean;
  pageBytes: number | null;
  screenshotBytes: number | null;
  screenshotType: PictureType | null;
  leftOut: string[];
  place: 'database' | 's3';
  capturedAt: Date;
  /** Of its run. */
  owner: string | null;
}

export interface NewEvidence extends Omit<Evidence, 'seq' | 'owner' | 'screenshotBytes' | 'pageBytes'> {
  page: Uint8Array | null;
  screenshot: Uint8Array | null;
}

const COLUMNS = `id, seq, task_id as "taskId", attempt, run_id as "runId", source, code, worker, url, status, media_type as "mediaType",
  page_chars as "pageChars", is_cut as "isCut", page_bytes as "pageBytes", screenshot_bytes as "screenshotBytes", screenshot_type as "screenshotType",
  left_out as "leftOut", place, captured_at as "capturedAt", owner`;

/** Returns false if it was stored before, or another of the same attempt. With its files, if they belong into the database. */
export function saveEvidence(pool: Pool, one: NewEvidence): Promise<boolean> {
  const { page, screenshot } = one;
  const bytes = (page?.length ?? 0) + (screenshot?.length ?? 0);
  return transaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `insert into evidence (id, task_id, attempt, run_id, source, code, worker, url, status, media_type, page_chars, is_cut, page_bytes,
         screenshot_bytes, screenshot_type, left_out, place, captured_at, owner)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16::text[], $17, $18, (select owner from runs where id = $4)) on conflict do nothing`,
      [
        one.id,
        one.taskId,
        one.attempt,
        pgText(one.runId),
        pgText(one.source),
        pgText(one.code),
        pgText(one.worker),
        pgText(one.url),
        one.status,
        pgText(one.mediaType),
        one.pageChars,
        one.isCut,
        page?.length ?? null,
        screenshot?.length ?? null,
        one.screenshotType,
        textArray(one.leftOut.map((text) => pgText(text))),
        one.place,
        one.capturedAt,
      ],
    );
    if (rowCount === 0) return false;
    if (one.place === 'database') {
      const files = Object.entries({ page, screenshot }).filter(([, file]) => file !== null);
      for (const [part, file] of files)
        await client.query('insert into evidence_files (evidence_id, part, bytes) values ($1, $2, $3)', [
          one.id,
          part,
          file,
        ]);
    }
    await client.query('update evidence_size set bytes = bytes + $1', [bytes]);
    return true;
  });
}

export interface EvidenceFilter {
  source?: string | null;
  code?: string | null;
  runId?: string | null;
  taskId?: string | null;
  /** Of their runs; null or left out: everybody's. */
  owner?: string | null;
}

/** Newest first. `before`: the `seq` of the last one of the page before. */
export function listEvidence(
  pool: Pool,
  { source = null, code = null, runId = null, taskId = null, owner = null, limit, before }: EvidenceFilter & ListPage,
): Promise<Evidence[]> {
  return query<Evidence>(
    pool,
    `select ${COLUMNS} from evidence
     where ($1::text is null or source = $1) and ($2::text is null or code = $2) and ($3::text is null or run_id = $3) and ($4::uuid is null or task_id = $4)
       and ($5::bigint is null or seq < $5) and ${ofOwner(owner, '$7')} order by seq desc limit $6`,
    [source, code, runId, taskId, before, limit, owner],
  );
}

interface ListPage {
  limit: number;
  before: string | null;
}

export async function getEvidence(pool: Pool, id: string): Promise<Evidence | null> {
  return (await query<Evidence>(pool, `select ${COLUMNS} from evidence where id = $1`, [id]))[0] ?? null;
}

/** In the order of the attempts. */
export function evidenceOfTasks(pool: Pool, taskIds: string[]): Promise<Evidence[]> {
  return query<Evidence>(
    pool,
    `select ${COLUMNS} from evidence where task_id = any($1::uuid[]) order by task_id, attempt`,
    [plainArray(taskIds)],
  );
}

/** Pages of results of these runs that look wrong. */
export function suspectEvidence(pool: Pool, runIds: string[]): Promise<Evidence[]> {
  return query<Evidence>(
    pool,
    `select ${COLUMNS} from evidence where run_id = any($1::text[]) and code = '${SUSPECT}' order by seq`,
    [textArray(runIds)],
  );
}

/** The newest of each of these causes. */
export function newestEvidence(
  pool: Pool,
  causes: { source: string; code: string }[],
  owner: string | null,
): Promise<Evidence[]> {
  return query<Evidence>(
    pool,
    `select e.* from unnest($1::text[], $2::text[]) as c(source, code)
     cross join lateral (select ${COLUMNS} from evidence where source = c.source and code = c.code and ${ofOwner(owner, '$3')} order by seq desc limit 1) e`,
    [textArray(causes.map((one) => pgText(one.source))), textArray(causes.map((one) => pgText(one.code))), owner],
  );
}

export async function evidenceFile(pool: Pool, id: string, part: 'page' | 'screenshot'): Promise<Buffer | null> {
  const rows = await query<{ bytes: Buffer }>(
    pool,
    'select bytes from evidence_files where evidence_id = $1 and part = $2',
    [id, part],
  );
  return rows[0]?.bytes ?? null;
}

export interface EvidenceLimits {
  days: number;
  maxBytes: number;
  batch: number;
}

/** The oldest of what is past the limits, at most `batch` of them. */
export async function oldEvidence(pool: Pool, { days, maxBytes, batch }: EvidenceLimits): Promise<Evidence[]> {
  const oldest = await query<Evidence & { isOld: boolean }>(
    pool,
    `select ${COLUMNS}, stored_at < now() - make_interval(days => $1) as "isOld" from evidence order by seq limit $2`,
    [days, batch],
  );
  const [size] = await query<{ bytes: string }>(pool, 'select bytes from evidence_size');
  let over = Number(size?.bytes ?? 0) - maxBytes;
  return oldest.filter((one) => {
    const goes = one.isOld || over > 0;
    if (goes) over -= (one.pageBytes ?? 0) + (one.screenshotBytes ?? 0);
    return goes;
  });
}

/** What is past the newest `keep` of a cause. */
export function surplusEvidence(
  pool: Pool,
  { source, code, keep, batch }: { source: string; code: string; keep: number; batch: number },
): Promise<Evidence[]> {
  return query<Evidence>(
    pool,
    `select ${COLUMNS} from evidence where source = $1 and code = $2 order by seq desc offset $3 limit $4`,
    [pgText(source), pgText(code), keep, batch],
  );
}

/** With the files that are in the database; what is elsewhere is deleted before. */
export async function forgetEvidence(pool: Pool, ids: string[]): Promise<number> {
  const rows = await query<{ n: number }>(
    pool,
    `with gone as (delete from evidence where id = any($1::uuid[]) returning id, coalesce(page_bytes, 0) + coalesce(screenshot_bytes, 0) as bytes),
     files as (delete from evidence_files where evidence_id = any($1::uuid[])),
     counted as (update evidence_size set bytes = bytes - (select coalesce(sum(bytes), 0) from gone))
     select count(*)::int as n from gone`,
    [plainArray(ids)],
  );
  return rows[0]!.n;
}
