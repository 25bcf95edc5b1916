// Career pages whose list stands in a script: `__NEXT_DATA__`, `window.__STATE__ = {…}` and the like, read by the same mapping as an endpoint's answer.
// Without `script` or `after` every value in the page's scripts is tried, and the first with a list at `items` is it.
import { z } from 'zod';
import { selectorProblem } from '../../extract/html/css.ts';
import { parse } from '../../extract/html/html.ts';
import { AppError } from '../../model/errors.ts';
import type { Web } from '../../web/port.ts';
import { defineSource } from '../define.ts';
import { getPinned } from '../postings/fetch.ts';
import { hasId, hasTitle, MAPPED_PARAMS, mappedPostings } from './mapped-list.ts';
import { valuesAt } from './mapping.ts';
import { scriptValues, valueAfter, valueBy } from './scripts/script-values.ts';

const Params = z.object({
  ...MAPPED_PARAMS,
  items: MAPPED_PARAMS.items.unwrap().min(1),
  /** Selector of a script that holds JSON and nothing else: `script#__NEXT_DATA__`. */
  script: z
    .string()
    .min(1)
    .max(500)
    .superRefine((selector, context) => {
      const problem = selectorProblem(selector);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    })
    .optional(),
  /** Text that stands right before the value in a script: `window.__STATE__ =`. */
  after: z.string().min(1).max(300).optional(),
});
type Params = z.infer<typeof Params>;

export const embedded = defineSource({
  name: 'embedded',
  title: 'Any career page with its postings as JSON in a script, by a declared mapping',
  kind: 'posting',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 1, delayMs: 500 },
  params: Params.refine(hasTitle, { path: ['fields', 'title'], message: 'needs a title' })
    .refine(hasId, { path: ['fields'], message: 'needs an id or a url' })
    .refine(({ script, after }) => script === undefined || after === undefined, {
      path: ['after'],
      message: 'cannot be given together with script',
    }),
  scrape: (params, web, notes) =>
    mappedPostings({
      source: 'embedded',
      params,
      web,
      notes,
      ask: (address) => valueOn(address, params, web),
      noList: (value) =>
        `the ${where(params)} holds no array at "${params.items}"${value === null ? '' : `; it has ${namesIn(value)}`}`,
    }),
});

const where = ({ script, after }: Params): string =>
  script !== undefined ? `script "${script}"` : after !== undefined ? `value after "${after}"` : 'page';

async function valueOn(address: string, params: Params, web: Web): Promise<unknown> {
  const page = await getPinned(web, address, { headers: params.headers });
  const value = read(page.text, params);
  if (value !== null) return value;
  const diagnosis = web.diagnose(page);
  const why =
    diagnosis === 'layout_changed' || diagnosis === 'empty' ? 'nothing readable' : diagnosis.replaceAll('_', ' ');
  throw new AppError('layout_changed', `No ${where(params)} with postings on the page: ${why}`, {
    details: { diagnosis },
  });
}

function read(text: string, { script, after, items }: Params): unknown {
  if (after !== undefined) return valueAfter(text, after);
  const doc = parse(text);
  if (script !== undefined) return valueBy(doc, script);
  for (const value of scriptValues(doc)) if (Array.isArray(valuesAt(value, items)[0])) return value;
  return null;
}

/** For whoever looks for the right path. */
function namesIn(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  const names = value !== null && typeof value === 'object' ? Object.keys(value) : [];
  return names.length === 0 ? 'no names' : names.slice(0, 10).join(', ').slice(0, 200);
}
