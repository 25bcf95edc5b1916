// Runs a career source against the sandbox through the real web layer, as a worker would.
import type { Posting } from '../../../src/model/posting/posting.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/server.ts';
import { CAREER_SOURCES } from '../../../src/sources/careers/index.ts';
import { createWeb, type Webs } from '../../../src/web/web.ts';

export const NOON = Date.UTC(2026, 10, 15, 12);

export interface Scraped {
  postings: Posting[];
  skipped: { id: string | null; reason: string }[];
  incomplete: string[];
}

export interface CareerWorld extends AsyncDisposable {
  sandbox: Sandbox;
  webs: Webs;
  scrape(source: string, params: Record<string, unknown>): Promise<Scraped>;
}

export async function careerWorld(options: SandboxOptions & { maxBytes?: number } = {}): Promise<CareerWorld> {
  const { maxBytes, ...rest } = options;
  const sandbox = await startSandbox({ now: () => NOON, ...rest });
  const patient = { timeoutMs: 60_000, maxPaceWaitMs: 60_000 };
  const webs = createWeb({
    hostMap: `*=${sandbox.origin}`,
    ...patient,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  return {
    sandbox,
    webs,
    async scrape(name, params) {
      const source = CAREER_SOURCES.find((one) => one.name === name);
      if (source === undefined) throw new Error(`no source ${name}`);
      const policy = source.policy === undefined ? {} : { policy: source.policy };
      const web = webs.forAttempt({ signal: AbortSignal.timeout(120_000), source: name, ...policy });
      const found: Scraped = { postings: [], skipped: [], incomplete: [] };
      const notes = {
        skipped: (row: { id: string | null; reason: string }) => void found.skipped.push(row),
        incomplete: (reason: string) => void found.incomplete.push(reason),
      };
      for await (const item of source.scrape(source.params.parse(params), web, notes))
        found.postings.push(item as Posting);
      return found;
    },
    async [Symbol.asyncDispose]() {
      await webs.close();
      await sandbox.close();
    },
  };
}
