// The inside of an extraction thread: one page in, one article out. Only in-thread.ts starts it.
import { parentPort } from 'node:worker_threads';
import { type ExtractOptions, extractArticle } from '../index.ts';

parentPort?.on('message', ({ html, url, options }: { html: string; url: string | null; options: ExtractOptions }) => {
  parentPort?.postMessage(extractArticle(html, url, options));
});
