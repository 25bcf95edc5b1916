import { type Job, Queue, Worker } from 'bullmq';

const TASKS = Number(process.env.BENCH_TASKS ?? 20_000);

/** addBulk by the thousand, then one worker with a hundred slots until all are complete. */
export async function measure(process_: (job: Job) => Promise<void>): Promise<void> {
  const url = new URL(process.env.REDIS_URL!);
  const connection = { host: url.hostname, port: Number(url.port), maxRetriesPerRequest: null };
  const queue = new Queue('bench', { connection });
  await queue.waitUntilReady();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const started = performance.now();
  for (let at = 0; at < TASKS; at += 1_000) {
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
      if (++completed === TASKS) worker.close().then(resolve);
    });
  });
  const ended = performance.now();
  console.log(
    JSON.stringify({
      rate: TASKS / ((ended - started) / 1_000),
      submit: TASKS / ((submitted - started) / 1_000),
      seconds: (ended - started) / 1_000,
    }),
  );
  await queue.close();
}
