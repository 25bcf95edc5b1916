// What the commands that scrape companies share: starting a run, waiting for its sessions, and showing them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/client.ts';
import { type Terminal, timeText } from '../../terminal/terminal.ts';

export interface StartedRun {
  status: string;
  data: { run_id: string | null; status: string; companies?: number; message?: string | null };
}

export interface SessionView {
  company: string;
  status: string;
  jobs_found: number;
  new: number;
  updated: number;
  unchanged: number;
  deactivated: number;
  closing_refused: string | null;
  errors: string[];
  waiting_reason: string | null;
  started_at: string;
}

const POLL_MS = 500;
const PAGE = 1_000;

/** Prints what was started, or waits and shows the changes. Exit code 1 when nothing could be scraped. */
export async function showRun(
  client: Client,
  started: StartedRun,
  terminal: Terminal,
  options: { json?: boolean; wait?: boolean; isSearch?: boolean },
): Promise<void> {
  const { run_id: id, message } = started.data;
  if (id === null || !options.wait) {
    if (options.json) return terminal.document(started.data);
    if (id !== null) terminal.out(id);
    const hint = options.isSearch
      ? `To see the results: windrow run ${id}`
      : `To see the changes: windrow companies sessions --run ${id}`;
    return terminal.say(message ?? `Started. ${hint}`);
  }
  const sessions = await untilSettled(client, id, terminal);
  if (sessions.length > 0 && sessions.every((one) => one.status === 'failed')) process.exitCode = 1;
  if (options.json) return terminal.document({ run_id: id, sessions });
  showSessions(sessions, terminal);
}

async function untilSettled(client: Client, runId: string, terminal: Terminal): Promise<SessionView[]> {
  for (;;) {
    const sessions = await sessionsOf(client, new URLSearchParams({ run_id: runId }));
    const running = sessions.filter((one) => one.status === 'running').length;
    if (running === 0) {
      terminal.progress(null);
      return sessions;
    }
    const reason = sessions.find((one) => one.waiting_reason !== null)?.waiting_reason;
    terminal.progress(`${sessions.length - running}/${sessions.length} companies${reason ? `: ${reason}` : ''}`);
    await sleep(POLL_MS);
  }
}

export async function sessionsOf(
  client: Client,
  query: URLSearchParams,
  most = Number.POSITIVE_INFINITY,
): Promise<SessionView[]> {
  const all: SessionView[] = [];
  for (let cursor: string | null = null; ; ) {
    query.set('limit', String(Math.min(PAGE, most - all.length)));
    if (cursor !== null) query.set('cursor', cursor);
    const page: { sessions: SessionView[]; next_cursor: string | null } = await client.get(`/sessions?${query}`);
    all.push(...page.sessions);
    cursor = page.next_cursor;
    if (cursor === null || all.length >= most) return all;
  }
}

export function showSessions(sessions: readonly SessionView[], terminal: Terminal): void {
  if (sessions.length === 0) {
    terminal.say('No sessions.');
    return;
  }
  const rows = sessions.map((one) => [
    timeText(one.started_at),
    one.company,
    one.status,
    ...[one.jobs_found, one.new, one.updated, one.unchanged, one.deactivated].map(String),
    one.waiting_reason ?? one.errors[0] ?? (one.closing_refused ? `none closed: ${one.closing_refused}` : ''),
  ]);
  const head = ['STARTED (UTC)', 'COMPANY', 'STATUS', 'FOUND', 'NEW', 'UPDATED', 'UNCHANGED', 'CLOSED', ''];
  terminal.table([head, ...rows]);
}
