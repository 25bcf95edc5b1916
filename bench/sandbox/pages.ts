// How many plain article pages the sandbox serves per second of its own CPU: it must never be what a load test measures.
// Run: node bench/sandbox/pages.ts [pages]. The client lives in this process, the sandbox in a child, so their CPU is told apart.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';

interface Usage {
  cpu: NodeJS.CpuUsage;
  rssBytes: number;
}

interface Case {
  name: string;
  host: string;
  path: (n: number) => string;
}

const CONNECTIONS = 32;
const pages = Number(process.argv[2] ?? 20_000);
const cases: Case[] = [
  { name: 'warm-up', host: 'warm.example.com', path: (n) => `/warm/${n}` },
  { name: 'distinct pages of a stranger', host: 'www.bbc.com', path: (n) => `/news/${n}` },
  { name: 'distinct, classic layout', host: 'harbour-courier.example', path: (n) => `/stories/${n}` },
  { name: 'distinct, crowded layout', host: 'metro-shouter.example', path: (n) => `/stories/${n}` },
  { name: 'one page again and again', host: 'www.bbc.com', path: () => '/news/technology' },
];

async function usage(child: ChildProcess): Promise<Usage> {
  child.send('usage');
  return (await once(child, 'message'))[0] as Usage;
}

async function fetchAll(pool: Pool, { host, path }: Case): Promise<number> {
  let next = 0;
  let bytes = 0;
  const run = async () => {
    while (next < pages) {
      const { statusCode, body } = await pool.request({ method: 'GET', path: path(next++), headers: { host } });
      if (statusCode !== 200) throw new Error(`status ${statusCode}`);
      bytes += (await body.arrayBuffer()).byteLength;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, run));
  return bytes;
}

const child = fork(fileURLToPath(new URL('./target.ts', import.meta.url)));
try {
  const { origin } = (await once(child, 'message'))[0] as { origin: string };
  const pool = new Pool(origin, { connections: CONNECTIONS });
  console.log(`${pages} pages a case, ${CONNECTIONS} connections`);
  console.log('case                          pages/s  pages per CPU-second of the sandbox  kB/page  resident MB');
  for (const one of cases) {
    const before = await usage(child);
    const from = performance.now();
    const bytes = await fetchAll(pool, one);
    const seconds = (performance.now() - from) / 1000;
    const after = await usage(child);
    const cpuSeconds = (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1e6;
    const columns = [
      Math.round(pages / seconds),
      Math.round(pages / cpuSeconds),
      (bytes / pages / 1024).toFixed(1),
      Math.round(after.rssBytes / 1024 ** 2),
    ];
    console.log(
      one.name.padEnd(28),
      String(columns[0]).padStart(8),
      String(columns[1]).padStart(36),
      String(columns[2]).padStart(8),
      String(columns[3]).padStart(12),
    );
  }
  await pool.close();
} finally {
  child.disconnect();
}
