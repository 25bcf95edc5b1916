// The same pages for every peer: articles of fifty made-up news sites, served by the sandbox in a process of its own.
export const PAGES = Number(process.env.BENCH_PAGES ?? 3_000);
/** Every peer does these first, uncounted: a worker runs for days, and what compiling its code costs says nothing about its pages. */
export const WARM_UP_PAGES = Number(process.env.BENCH_WARM_UP_PAGES ?? 1_500);
export const CONCURRENCY = 64;

const HOSTS = 50;

export function pageAt(index: number): { host: string; path: string } {
  return { host: `news-${index % HOSTS}.example`, path: `/story/${Math.floor(index / HOSTS)}` };
}

/** For clients that know nothing of mapped hosts: the sandbox shows any page below its own address. */
export function directUrl(origin: string, index: number): string {
  const { host, path } = pageAt(index);
  return `${origin}/__sandbox/at/${host}${path}`;
}

/** `scrape` does the pages from the first to before the last, and says how many it got. */
export async function measure(scrape: (first: number, last: number) => Promise<number>): Promise<void> {
  const warm = await scrape(0, WARM_UP_PAGES);
  if (warm !== WARM_UP_PAGES) throw new Error(`only ${warm} of ${WARM_UP_PAGES} pages`);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const items = await scrape(WARM_UP_PAGES, WARM_UP_PAGES + PAGES);
  const used = process.cpuUsage(cpuBefore);
  const cpuSeconds = (used.user + used.system) / 1e6;
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(
    JSON.stringify({
      rate: PAGES / cpuSeconds,
      wall: PAGES / seconds,
      items,
      rss: process.memoryUsage.rss() / 2 ** 20,
    }),
  );
}
