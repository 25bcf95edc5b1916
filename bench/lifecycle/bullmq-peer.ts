import { type Job, Queue, Worker } from 'bullmq';

import { TASKS, WARM_UP } from './tasks.ts';

/** addBulk by the thousand, then one worker with a hundred slots until all are complete. */
export async function measure(process_: (job: Job) => Promise<void>): Promise<void> {
  const url = new URL(process.env.REDIS_URL!);
  const connection = { host: url.hostname, port: Number(url.port), maxRetriesPerRequest: null };
  const queue = new Queue('bench', { connection });
  await queue.waitUntilReady();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await round(WARM_UP);
  console.log(JSON.stringify(await round(TASKS)));
  await queue.close();

  async function round(count: number): Promise<object> {
    const started = performance.now();
    for (let at = 0; at < count; at += 1_000) {
      await queue.addBulk(
        Array.from({ length: 1_000 }, (_, n) => ({
          name: 'article',
          data: { url: `https://example.com/${at}/${n}` },
          opts: { removeOnComplete: true, removeOnFail: true },
        })),
      );
    }
    const submitted = performance.now();
    let completed = 0;
    await new Promise<void>((resolve) => {
      const worker = new Worker('bench', process_, { connection, concurrency: 100 });
      worker.on('completed', () => {
        if (++completed === count) worker.close().then(resolve);
      });
    });
    const ended = performance.now();
    return {
      rate: count / ((ended - started) / 1_000),
      submit: count / ((submitted - started) / 1_000),
      seconds: (ended - started) / 1_000,
    };
  }
}
