// Webhook events of ended runs, in the transaction that ends them: a run ends once, so it has one event, however often its results were delivered.
// Most runs have no webhook: then this is one query of a small table for the whole batch.

import { type EndedRun, RUN_EVENTS, runEvent } from '../../model/run/run-event.ts';
import type { SiteTask } from '../../model/run/scrape-run.ts';
import type { Client } from '../postgres/pool.ts';
import { textArray } from '../postgres/text.ts';
import { type NewEvent, wantedTypes, writeDeliveries } from '../webhooks/webhook-events.ts';
import { RUN_COLUMNS, type RunRow, toRun } from './runs.ts';
import { SITE_TASKS, type SiteRow, toSiteTask } from './scrape-runs.ts';

/** What goes with a run that names an address of its own, in the run's options. */
export const URL_OPTION = 'webhook_url';
/** Where the trace of a run that is traced is kept. */
export const TRACE_OPTION = 'traceparent';

export const urlOption = (url: string | null | undefined): Record<string, string> => (url ? { [URL_OPTION]: url } : {});

interface EndedRow extends RunRow {
  status: EndedRun['status'];
  finished_at: Date;
  trigger: string;
  keep_seconds: number | null;
  webhook_url: string | null;
  traceparent: string | null;
}

export async function tellEnded(client: Client, ended: { id: string; hasUrl: boolean }[]): Promise<void> {
  if (ended.length === 0) return;
  const wanted = await wantedTypes(client, RUN_EVENTS);
  const told = wanted.size > 0 ? ended : ended.filter((run) => run.hasUrl);
  if (told.length === 0) return;
  const { rows } = await client.query<EndedRow>(
    `select ${RUN_COLUMNS}, trigger, (options->>'keep_seconds')::int as keep_seconds, options->>'${URL_OPTION}' as webhook_url,
       options->>'${TRACE_OPTION}' as traceparent
     from runs where id = any($1::text[])`,
    [textArray(told.map((run) => run.id))],
  );
  const events: NewEvent[] = [];
  for (const row of rows) {
    const event = {
      key: `run:${row.id}`,
      requestId: row.request_id,
      traceparent: row.traceparent,
      owner: row.owner,
      ...runEvent(await toEnded(client, row)),
    };
    if (wanted.has(event.type)) events.push(event);
    if (row.webhook_url !== null) events.push({ ...event, to: { url: row.webhook_url } });
  }
  await writeDeliveries(client, events);
}

async function toEnded(client: Client, row: EndedRow): Promise<EndedRun> {
  const { status, trigger, finished_at: finishedAt, keep_seconds: keepSeconds } = row;
  const sites = row.kind === 'posting' ? await sitesOf(client, row.id) : null;
  return { ...toRun(row), status, trigger, finishedAt, keepSeconds, sites };
}

/** Within the transaction, so that the outcomes it has just written are seen. */
async function sitesOf(client: Client, runId: string): Promise<SiteTask[]> {
  const { rows } = await client.query<SiteRow>(SITE_TASKS, [runId]);
  return rows.map(toSiteTask);
}
