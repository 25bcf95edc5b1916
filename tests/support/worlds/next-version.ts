// The version after this one, to stand beside it while a fleet is upgraded: the same program with one more migration, which adds a column to every table, and with more in each of
// its messages. There is no build of an older version to be had here; but what this one is to its successor, its predecessor is to this one.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

const MIGRATION = `
create table of_next (id int primary key);
-- It locks one table after the other: waiting long for one would hold up everybody at the others.
set local lock_timeout = '100ms';
do $$ declare t text; begin
  -- Partitions have the columns of their table.
  for t in select format('%I', relname) from pg_class where relnamespace = 'windrow'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'migrations'
  loop execute 'alter table ' || t || ' add column of_next jsonb default ''{}'''; end loop;
end $$;
`;

/** File, what is there, and what is there in the next version. */
const MORE: [string, string, string][] = [
  ['model/task/messages.ts', '`{"attempt":', '`{"of_next":{"a":[1]},"attempt":'],
  [
    'wire/redis-reports.ts',
    'JSON.stringify(reports.slice(at, at + REPORTS_PER_ENTRY))',
    "JSON.stringify(reports.slice(at, at + REPORTS_PER_ENTRY).map((one) => ({ ...one, of_next: 1, ...('metadata' in one ? { metadata: { ...one.metadata, of_next: [] } } : {}) })))",
  ],
  [
    'wire/redis-heartbeats.ts',
    'const text = JSON.stringify(beat)',
    'const text = JSON.stringify({ ...beat, of_next: 1 })',
  ],
  ['wire/redis-heartbeats.ts', 'JSON.stringify(held)', 'JSON.stringify({ ...held, of_next: { a: 1 } })'],
  [
    'wire/redis-pubsub.ts',
    'JSON.stringify(value));\n    },\n    subscribe',
    'JSON.stringify((value as object[]).map((one) => ({ ...one, of_next: 1 }))));\n    },\n    subscribe',
  ],
];

export interface NextVersion {
  /** Its command line, to be started like ours. */
  script: string;
  migration: number;
  remove(): void;
}

export function nextVersion(): NextVersion {
  const folder = mkdtempSync(join(tmpdir(), 'windrow-next-'));
  cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const migrations = join(folder, 'src/store/migrations');
  const migration = Math.max(...readdirSync(migrations).map((name) => Number.parseInt(name, 10))) + 1;
  writeFileSync(join(migrations, `${String(migration).padStart(3, '0')}-next.sql`), MIGRATION);
  for (const [file, now, then] of MORE) {
    const path = join(folder, 'src', file);
    const text = readFileSync(path, 'utf8');
    if (text.split(now).length !== 2) throw new Error(`${file} has not one place with ${now}: change it here too`);
    writeFileSync(
      path,
      text.replace(now, () => then),
    );
  }
  return {
    script: join(folder, 'src/cli/main.ts'),
    migration,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
