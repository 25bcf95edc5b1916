// Tools that read what is there already.
import { z } from 'zod';
import { idPath, withQuery } from '../api.ts';
import { piece, runId, waitSeconds } from '../inputs.ts';
import { pieceOf, placeOf, ROWS } from '../page.ts';
import { briefly, type RunView, resultsOf, waitFor } from '../runs.ts';
import { tool } from '../tool.ts';

export const listRuns = tool({
  name: 'list_runs',
  title: 'List runs',
  description: 'Lists runs, newest first.',
  input: z.object({
    kind: z.enum(['article', 'posting', 'company', 'cart', 'crawl', 'map']).optional(),
    status: z.enum(['running', 'completed', 'partial', 'failed', 'cancelled']).optional(),
    q: z.string().min(1).max(200).optional().describe('Text in what was requested.'),
    ...piece,
  }),
  isReading: true,
  async run({ cursor, max_characters, ...filter }, api) {
    const place = placeOf(cursor);
    const page = await api.get<{ runs: RunView[]; next_cursor: string | null }>(
      withQuery('/runs', { ...filter, limit: ROWS, cursor: place.cursor }),
    );
    return pieceOf(page.runs.map(briefly), page.next_cursor, place, max_characters);
  },
});

export const followRun = tool({
  name: 'follow_run',
  title: 'Wait for a run',
  description:
    'Waits until a run has ended, or for wait_seconds, and returns its state. Call it again while it is running.',
  input: z.object({ run_id: runId, wait_seconds: waitSeconds }),
  isReading: true,
  run: async ({ run_id, wait_seconds }, api, signal) => briefly(await waitFor(api, run_id, wait_seconds, signal)),
});

export const readResults = tool({
  name: 'read_results',
  title: 'Read the results of a run',
  description:
    'Returns what a run has found so far, in parts: articles, postings, products, pages of a crawl, or the sessions of companies.',
  input: z.object({ run_id: runId, ...piece }),
  isReading: true,
  async run({ run_id, cursor, max_characters }, api) {
    const run = await api.get<RunView>(idPath('/runs', run_id));
    return { status: run.status, ...(await resultsOf(api, run, { cursor, budget: max_characters })) };
  },
});

export const companyPositions = tool({
  name: 'company_positions',
  title: 'Positions of companies',
  description: 'Lists open positions of the companies that are watched, newest first; new_since for the new ones.',
  input: z.object({
    company: z.string().max(300).optional().describe('Id or name. All companies if left out.'),
    new_since: z.string().max(40).optional().describe('A time (ISO 8601), or in the last 36h, 1d, 2w.'),
    q: z.string().max(200).optional().describe('Words in title, department, location or company.'),
    location: z.string().max(200).optional(),
    remote_type: z.enum(['remote', 'hybrid', 'onsite', 'unknown']).optional(),
    ...piece,
  }),
  isReading: true,
  async run({ cursor, max_characters, ...filter }, api) {
    const place = placeOf(cursor);
    const page = await api.get<{ positions: object[]; total: number; next_cursor: string | null }>(
      withQuery('/positions', { ...filter, active: true, limit: ROWS, cursor: place.cursor }),
    );
    return { total: page.total, ...pieceOf(page.positions, page.next_cursor, place, max_characters) };
  },
});
