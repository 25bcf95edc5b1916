// What a server calls a field, as the person typed it: `/min_salary` is `--min-salary`, `/articles/0/url` the first of the URLs.
import type { Command } from 'commander';
import { SEARCH_PARAMETERS } from '../../library/search-parameters.ts';
import { type FieldError, fieldName } from '../../model/errors.ts';

/** Where the flag is not the field. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  site_name: 'sites',
  webhook_url: 'webhook',
  max_products_per_item: 'results',
  max_age_seconds: 'max-age',
  interval_minutes: 'every',
  run_id: 'run',
  task_id: 'task',
  created_after: 'after',
  status_filter: 'status',
  died_after: 'after',
  died_before: 'before',
  host: 'site',
  ...Object.fromEntries(Object.entries(SEARCH_PARAMETERS).map(([option, parameter]) => [parameter, dashed(option)])),
};

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');
}

/** The field of a request, by the flag or argument of the command that it came from. */
export function asTyped(error: FieldError, command: Command): FieldError {
  if (!error.pointer.startsWith('/')) return error;
  const steps = error.pointer.slice(1).split('/');
  const names = steps.filter((step) => !/^\d+$/.test(step));
  const entry = steps.find((step) => /^\d+$/.test(step));
  const last = typedName(names.at(-1) ?? '', command);
  const place = entry === undefined ? '' : ` (entry ${Number(entry) + 1})`;
  if (last !== undefined) return { ...error, pointer: `${last}${place}` };
  const first = typedName(names[0] ?? '', command);
  if (first !== undefined) return { ...error, pointer: `${first}: ${names.slice(1).join('.')}${place}` };
  // The settings of a company are given one by one.
  const set = names[0] === 'scraping_config' && names.length > 1 ? names.slice(1) : names;
  return { ...error, pointer: hasSet(command) ? `--set ${set.join('.')}` : fieldName(error.pointer) };
}

function typedName(field: string, command: Command): string | undefined {
  const names = [dashed(field), OTHER_NAMES[field]].filter((name) => name !== undefined);
  // Arguments first: `--url` is the address of the server.
  const argument = command.registeredArguments.find((one) =>
    names.some((name) => [name, `${name}s`].includes(one.name())),
  );
  if (argument) return `<${argument.name()}>`;
  return (
    command.options.find(({ long, hidden }) => !hidden && names.some((name) => long === `--${name}`))?.long ?? undefined
  );
}

const hasSet = (command: Command): boolean => command.options.some(({ long }) => long === '--set');
