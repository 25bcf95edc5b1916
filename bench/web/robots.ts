// Scores our robots.txt reading on the cases beside the repository, apart by source. `node bench/web/robots.ts [file]`; without the file it says so.
import { existsSync, readFileSync } from 'node:fs';
import { parseRobotsTxt } from '../../src/web/robots/robots-txt.ts';

interface Case {
  source: string;
  test: string;
  robots: string;
  agent: string;
  url?: string;
  allowed?: boolean;
  crawlDelay?: number | null;
}

const file = process.argv[2] ?? new URL('../../../shared/fixtures/robots/dev.json', import.meta.url);
if (!existsSync(file)) {
  console.error('robots: no cases here; give the file as the first argument');
  process.exit(2);
}
const scores = new Map<string, { right: number; all: number }>();
for (const entry of JSON.parse(readFileSync(file, 'utf8')) as Case[]) {
  const robots = parseRobotsTxt(entry.robots);
  const isRight =
    entry.url === undefined
      ? robots.crawlDelaySeconds(entry.agent) === (entry.crawlDelay ?? null)
      : robots.isAllowed(entry.url, entry.agent) === entry.allowed;
  const score = scores.get(entry.source) ?? { right: 0, all: 0 };
  scores.set(entry.source, { right: score.right + (isRight ? 1 : 0), all: score.all + 1 });
  if (!isRight) console.log(`wrong: ${entry.source} ${entry.test} ${entry.agent} ${entry.url ?? 'crawl delay'}`);
}
for (const [source, { right, all }] of scores) console.log(`${source}: ${right} of ${all}`);
