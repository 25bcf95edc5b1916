// A job search in `windrow run`. Its id shows the kind: searches have other paths and status values in the API than article runs.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Posting } from '../../../model/posting/posting.ts';
import type { Client } from '../../client/client.ts';
import { runWord } from '../../client/run-word.ts';
import { watching } from '../../client/watching.ts';
import { postingRows } from '../../terminal/posting-table.ts';
import type { Terminal } from '../../terminal/terminal.ts';

interface SearchRun {
  run_id: string;
  status: string;
  requested_pages: number;
  completed_pages: number;
  message: string | null;
  waiting?: { message: string };
  jobs_found: number;
  jobs: Posting[];
  sites: { site_name: string; status: string; jobs_found: number; error: string | null }[];
  metadata: { warnings: string[] };
  next_cursor: string | null;
}

const POLL_MS = 1_000;

export const isSearchRun = (id: string): boolean => /^(?:manual|sched)_/.test(id);

export const searchRunPath = (id: string): string => `/jobs/scrape/${encodeURIComponent(id)}`;

const ask = async (client: Client, id: string, limit: number): Promise<SearchRun> =>
  (await client.get<{ data: SearchRun }>(`${searchRunPath(id)}?limit=${limit}`)).data;

/** Waits for its end. Ctrl-C stops waiting, never the run. */
export const followSearch = (client: Client, id: string, terminal: Terminal): Promise<void> =>
  watching(id, terminal, async (signal) => {
    while (!signal.aborted) {
      const run = await ask(client, id, 1);
      const said = run.message ?? run.waiting?.message;
      terminal.progress(said === undefined ? headline(run) : `${headline(run)}: ${said}`);
      if (run.status !== 'queued' && run.status !== 'running') {
        if (run.status === 'failed' || run.status === 'cancelled') process.exitCode = 1;
        return true;
      }
      await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    }
    return false;
  });

export async function showSearch(
  client: Client,
  id: string,
  terminal: Terminal,
  options: { limit: number; json?: boolean },
): Promise<void> {
  const run = await ask(client, id, options.limit);
  if (options.json) return terminal.document(run);
  terminal.out(headline(run));
  for (const { site_name: site, status, jobs_found: found, error } of run.sites) {
    terminal.out(`  ${site}: ${runWord(status)}, ${found} found${error === null ? '' : `: ${error}`}`);
    for (const warning of run.metadata.warnings)
      if (run.message?.includes(`${site}: ${warning}`)) terminal.out(`    ${warning}`);
  }
  if (run.waiting) terminal.out(`  ${run.waiting.message}`);
  if (run.jobs.length > 0) terminal.table(postingRows(run.jobs));
  if (run.next_cursor !== null)
    terminal.say(`Show more with --limit, or all with --ndjson or --csv. API: ${client.origin}${searchRunPath(id)}`);
}

const headline = (run: SearchRun): string =>
  `${run.run_id}  ${runWord(run.status)}  ${run.jobs_found} ${run.jobs_found === 1 ? 'posting' : 'postings'}, ${run.completed_pages} of ${run.requested_pages} pages`;
