// The same pages for every peer: articles of fifty made-up news sites, served by the sandbox in a process of its own.
export const PAGES = Number(process.env.BENCH_PAGES ?? 3_000);
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

export function report(pages: number, items: number, cpuBefore: NodeJS.CpuUsage, startedAt: number): void {
  const used = process.cpuUsage(cpuBefore);
  const cpuSeconds = (used.user + used.system) / 1e6;
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(
    JSON.stringify({
      rate: pages / cpuSeconds,
      wall: pages / seconds,
      items,
      rss: process.memoryUsage.rss() / 2 ** 20,
    }),
  );
}
