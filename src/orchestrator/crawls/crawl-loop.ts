// Makes tasks of the pages that crawls have found. Behind recording, which only writes them down: however many links a page has, a crawl has some hundred tasks
// in the queue.
import type { RunUpdate } from '../../model/run/run.ts';
import type { CrawlAdmissionStore } from '../../store/crawls/crawl-store.ts';
import type { Step } from '../loops/run-loops.ts';

export interface CrawlLoopOptions {
  store: CrawlAdmissionStore;
  onAdmitted(pages: number): void;
  publish(updates: RunUpdate[]): Promise<void>;
}

/** Wakes `dispatch`. */
export function createCrawlLoop({ store, onAdmitted, publish }: CrawlLoopOptions): Step {
  return async (_signal, wake) => {
    const { pages, updates } = await store.admitPages();
    if (pages > 0) {
      onAdmitted(pages);
      wake();
    }
    await publish(updates);
  };
}
