// Accepts crawls and maps of sites: one run, whose first task is the first page. The others are made of what pages show (store/crawls/).
import { randomBytes } from 'node:crypto';
import { type CrawlOptions, CrawlOptions as Options } from '../../model/crawl/crawl.ts';
import { crawlKey } from '../../model/crawl/grow.ts';
import { CRAWL_SOURCE } from '../../model/crawl/letters.ts';
import { startPage } from '../../model/crawl/scope.ts';
import { lineOf } from '../../model/task/line.ts';
import { type CrawlTask, insertCrawl, taskParams } from '../../store/crawls/new-crawl.ts';
import { urlOption } from '../../store/runs/run-events.ts';
import type { Accepted } from '../../store/submissions/submit.ts';
import { askedBy, type IntakeContext, type IntakeOptions } from './intake.ts';

export interface CrawlRequest {
  options: CrawlOptions;
  priority: number;
  /** Receives an event when the run has ended; already checked. */
  webhookUrl?: string | null;
}

export type SubmitCrawl = (request: CrawlRequest, context: IntakeContext) => Promise<Accepted>;

export function createCrawlIntake({ store, wire, laneOf, ...limits }: IntakeOptions): SubmitCrawl {
  return async (request, context) => {
    const options = Options.parse(request.options);
    const runId = `${options.mode}_${randomBytes(8).toString('hex')}`;
    const first = startPage(options);
    const lane = options.engine === 'browser' ? 'browser' : laneOf(CRAWL_SOURCE);
    const task: CrawlTask = {
      source: CRAWL_SOURCE,
      lane,
      line: lineOf(CRAWL_SOURCE, context.owner),
      priority: request.priority,
      maxRetries: limits.maxRetries,
      timeoutSeconds: limits.taskTimeoutSeconds,
    };
    const key = crawlKey(runId, first.page);
    const accepted = await store.submit({
      runId,
      kind: options.mode,
      itemKind: 'article',
      trigger: 'manual',
      ...askedBy(context),
      options: { ...options, ...urlOption(request.webhookUrl) },
      tasks: [
        {
          ...task,
          key,
          params: taskParams(options, { url: first.url, isSitemap: false, isFirst: true }),
          ref: { url: options.url },
        },
      ],
      maxAgeSeconds: 0,
      // Of a map it reads the first page and sitemaps only.
      ...(options.mode === 'crawl' && { mayGrowTo: options.limit }),
      along: (client, run) => insertCrawl(client, run, { options, task, first: { key, url: first.url } }),
    });
    wire.wake();
    return accepted;
  };
}
