// What zod found wrong with parameters, in the same words as all other field errors of the API: what the value has to be, not how a schema failed.
import type { z } from 'zod';
import type { FieldError } from './errors.ts';

type Issue = z.core.$ZodIssue;

/** zod reports all unknown names in one issue; here each is a field error. */
export function issueErrors(issues: readonly Issue[]): FieldError[] {
  return issues.flatMap((issue) => {
    const pointer = issue.path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ pointer: `${pointer}/${key}`, detail: 'is not a known field' }));
    return [{ pointer, detail: issueWords(issue) }];
  });
}

export function issueWords(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      // zod does not hand out the value, but says of one that is not there what it received.
      if (issue.message.endsWith('received undefined')) return 'is required';
      return `has to be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `has to be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum));
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum));
    case 'invalid_format':
      return issue.pattern === undefined
        ? `is not a valid ${issue.format}`
        : `does not match the pattern ${issue.pattern.replace(/^\/|\/[a-z]*$/g, '')}`;
    default:
      return issue.message;
  }
}

function tooSmall(origin: string, limit: number): string {
  if (origin !== 'string' && origin !== 'array') return `has to be at least ${limit}`;
  if (limit === 1) return 'must not be empty';
  return `needs at least ${limit} ${origin === 'string' ? 'characters' : 'entries'}`;
}

function tooBig(origin: string, limit: number): string {
  if (origin !== 'string' && origin !== 'array') return `has to be at most ${limit}`;
  return `may have at most ${limit} ${origin === 'string' ? 'characters' : 'entries'}`;
}

const TYPES: Record<string, string> = {
  object: 'a JSON object',
  record: 'a JSON object',
  array: 'an array',
  string: 'a string',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};
