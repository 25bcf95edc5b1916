// Exporting everything as CSV, through what the API sends: its rate next to COPY, and its memory in a process of its own.
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import copyStreams from 'pg-copy-streams';
import { POSTING_COLUMNS } from '../../src/model/posting/posting-columns.ts';
import { runPeer } from '../peers.ts';
import { type Promised, timed } from './compare.ts';

/** Both read the same rows; COPY is repeated by nobody. */
const COMPARED = 100_000;

const copied = (plain: pg.Client, rows: number): Promise<number> =>
  timed(() =>
    pipeline(
      plain.query(
        copyStreams.to(
          `copy (select ${POSTING_COLUMNS.map((name) => `data ->> '${name}'`).join(', ')}, first_seen_at, group_id from postings order by first_seen_at desc, key desc limit ${rows}) to stdout (format csv)`,
        ),
      ),
      new Writable({ write: (_chunk, _encoding, done) => done() }),
    ),
  );

export async function exporting(plain: pg.Client, url: string, rows: number): Promise<Promised[]> {
  const peer = (limit: number) =>
    runPeer(new URL('export-peer.ts', import.meta.url), { BENCH_DATABASE_URL: url, BENCH_LIMIT: String(limit) }, [
      '--expose-gc',
    ]);
  const compared = Math.min(COMPARED, rows);
  const copyMs = await copied(plain, compared);
  const same = await peer(compared);
  const tenth = await peer(Math.floor(rows / 10));
  const all = await peer(rows);
  return [
    {
      what: `rows per second of an export of ${compared.toLocaleString('en')} rows as CSV, next to COPY`,
      value: same.rate / ((compared / copyMs) * 1_000),
      unit: 'times',
      bounds: { atLeast: 0.6 },
    },
    { what: 'the most memory while a tenth of the rows is exported', value: tenth.rssMb!, unit: 'MB' },
    { what: 'the most memory while all rows are exported', value: all.rssMb!, unit: 'MB' },
    {
      what: 'memory in use while all rows are exported, next to a tenth of them',
      value: all.liveMb! / tenth.liveMb!,
      unit: 'times',
      bounds: { atMost: 1.25 },
    },
    {
      what: 'the most memory while all rows are exported, next to a tenth of them',
      value: all.rssMb! / tenth.rssMb!,
      unit: 'times',
      bounds: { atMost: 1.25 },
    },
  ];
}
