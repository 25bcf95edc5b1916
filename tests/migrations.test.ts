// While a fleet is upgraded, processes of the version before work on the migrated database. So a migration only adds, or says in its first line that it does not.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { isBreaking } from '../src/store/postgres/migrate.ts';

const FOLDER = resolve(import.meta.dirname, '../src/store/migrations');
/** The last one from before there was a rule. */
const BEFORE = 29;

/** What a program that does not know of it can live with. */
const ADDS = [
  /^create (unlogged )?(table|sequence|view|materialized view) /,
  /^create (unique )?index /,
  /^drop index /,
  /^create (or replace )?(function|procedure|trigger|constraint trigger) /,
  /^create extension /,
  /^(insert|update|comment|analyze|select|with) /,
  /^alter index \S+ set /,
  /^set local /,
  // Like the body of a function it is not looked into: for what only some servers have, and what a test has processes of the version before go on with.
  /^do ''$/,
];

/** Statements, without comments and without the bodies of functions. */
function statementsOf(sql: string): string[] {
  const bare = sql.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''").replace(/--[^\n]*/g, '');
  return bare
    .split(';')
    .map((one) => one.replace(/\s+/g, ' ').trim().toLowerCase())
    .filter((one) => one !== '');
}

/** A column that rows of the older program can do without; storage parameters. */
function isAddition(statement: string): boolean {
  const [, actions] = /^alter table (?:only )?\S+ (.*)$/.exec(statement) ?? [];
  if (actions === undefined) return ADDS.some((pattern) => pattern.test(statement));
  return actions.split(/,(?![^(]*\))/).every((action) => {
    const text = action.trim();
    if (/^set \(|^alter column \S+ set statistics |^validate constraint /.test(text)) return true;
    return /^add column /.test(text) && (!/ not null/.test(text) || / default | generated /.test(text));
  });
}

const breaks = (sql: string): string[] => (isBreaking(sql) ? [] : statementsOf(sql).filter((one) => !isAddition(one)));

test('migrations only add, or begin with `-- breaking: <what a process of the version before cannot do any more>`', () => {
  const found = readdirSync(FOLDER).flatMap((name) =>
    Number.parseInt(name, 10) <= BEFORE
      ? []
      : breaks(readFileSync(join(FOLDER, name), 'utf8')).map((statement) => `${name}: ${statement}`),
  );
  expect(found).toEqual([]);
});

test('what adds and what breaks is told apart', () => {
  const adds = `create table a (b int not null); alter table runs add column c numeric(1, 2) not null default 0, add column d text;
    create function f() returns trigger language plpgsql as $$ begin drop table x; end $$; -- drop table y;
    create index on a (b); insert into a values (1);`;
  expect(breaks(adds)).toEqual([]);
  const breaking = [
    'drop table a',
    'alter table a drop column b',
    'alter table a add column b int not null',
    'alter table a rename to b',
  ];
  breaking.push(
    'alter table a alter column b type text',
    'alter table a add constraint c check (b > 0)',
    'delete from a',
    'drop function f',
  );
  for (const statement of breaking) expect(breaks(`${statement};`)).toEqual([statement]);
  expect(breaks('-- breaking: a is gone\ndrop table a;')).toEqual([]);
});
