// What can go wrong with a request, as one error for people: the problem documents of the API (RFC 9457), and a server that cannot be reached.
import { ApiError as Problem } from '../../client/errors.ts';

export { ApiError as Problem, type FieldProblem, UNREACHABLE } from '../../client/errors.ts';

/** Whatever was thrown, as a problem. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem(thrown instanceof Error ? thrown.message : String(thrown), { code: 'internal' });
}

/** `/articles/3/url` as people would say it: `articles 4, url`. */
export function fieldLabel(pointer: string): string {
  const label = pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? ` ${Number(part) + 1}` : `, ${part.replaceAll('_', ' ')}`))
    .join('');
  return label.startsWith(', ') ? label.slice(2) : label.trim();
}
