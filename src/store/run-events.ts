// Telling that runs have ended, in the transaction that ends them: a run ends once, so its event is one, however often its results were delivered.
// Of the thousands of runs that end each minute mostly nobody wants to hear: then this is one look at a small table for the whole batch.

import { type EndedRun, RUN_EVENTS, runEvent } from '../model/run-event.ts';
import type { SiteTask } from '../model/scrape-run.ts';
import type { Client } from './pool.ts';
import { SITE_TASKS, type SiteRow, toSiteTask } from './scrape-runs.ts';
import { textArray } from './text.ts';
import { type NewEvent, wantedTypes, writeDeliveries } from './webhook-events.ts';

/** What goes with a run that names an address of its own, in the run's options. */
export const URL_OPTION = 'webhook_url';

export const urlOption = (url: string | null | undefined): Record<string, string> => (url ? { [URL_OPTION]: url } : {});

interface RunRow {
  id: string;
  kind: string;
  trigger: string;
  status: EndedRun['status'];
  total: number;
  cached: number;
  completed: number;
  failed: number;
  request_id: string | null;
  created_at: Date;
  finished_at: Date;
  keep_seconds: number | null;
  webhook_url: string | null;
}

export async function tellEnded(client: Client, ended: { id: string; hasUrl: boolean }[]): Promise<void> {
  if (ended.length === 0) return;
  const wanted = await wantedTypes(client, RUN_EVENTS);
  const told = wanted.size > 0 ? ended : ended.filter((run) => run.hasUrl);
  if (told.length === 0) return;
  const { rows } = await client.query<RunRow>(
    `select id, kind, trigger, status, total, cached, completed, failed, request_id, created_at, finished_at,
            (options->>'keep_seconds')::int as keep_seconds, options->>'${URL_OPTION}' as webhook_url
     from runs where id = any($1::text[])`,
    [textArray(told.map((run) => run.id))],
  );
  const events: NewEvent[] = [];
  for (const row of rows) {
    const event = { key: `run:${row.id}`, requestId: row.request_id, ...runEvent(await toEnded(client, row)) };
    if (wanted.has(event.type)) events.push(event);
    if (row.webhook_url !== null) events.push({ ...event, to: { url: row.webhook_url } });
  }
  await writeDeliveries(client, events);
}

async function toEnded(client: Client, row: RunRow): Promise<EndedRun> {
  return {
    id: row.id,
    kind: row.kind,
    trigger: row.trigger,
    status: row.status,
    total: row.total,
    cached: row.cached,
    completed: row.completed,
    failed: row.failed,
    requestId: row.request_id,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    keepSeconds: row.keep_seconds,
    sites: row.kind === 'posting' ? await sitesOf(client, row.id) : null,
  };
}

/** Within the transaction, so that the outcomes it has just written are seen. */
async function sitesOf(client: Client, runId: string): Promise<SiteTask[]> {
  const { rows } = await client.query<SiteRow>(SITE_TASKS, [runId]);
  return rows.map(toSiteTask);
}
