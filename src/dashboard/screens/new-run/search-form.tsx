// A search of job sites. The form is made from the parameters of the chosen sites: those that all of them take.
import { useSignal } from '@preact/signals';
import { call, type Reply } from '../../api/call.ts';
import type { FieldProblem } from '../../api/problem.ts';
import { useAnswer } from '../../live/answers.ts';
import type { JsonSchema } from '../../parts/form/json-schema.ts';
import { SchemaForm } from '../../parts/form/schema-form.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { searchExamples } from './examples.ts';
import { FormFrame } from './form-frame.tsx';
import type { Prefill } from './prefill.ts';
import { useSubmit } from './use-submit.ts';

type Site = Reply<'GET /jobs/sites'>['data']['sites'][number];

const FIRST = ['search_term', 'location', 'results_wanted', 'is_remote', 'job_type', 'hours_old'];

/** Of boards one asks for words; the others are one company's. */
const isBoard = ({ params }: Site): boolean => ((params as JsonSchema).required ?? []).includes('search_term');

/** What every one of them takes, as the first one describes it. */
function commonSchema(sites: readonly Site[]): JsonSchema {
  const [first, ...others] = sites.map(({ params }) => params as JsonSchema);
  if (!first) return {};
  const inAll = (name: string) => others.every(({ properties }) => properties?.[name]);
  const properties = Object.entries(first.properties ?? {}).filter(([name]) => inAll(name));
  return { ...first, properties: Object.fromEntries(properties) };
}

export function SearchForm({ prefill }: { prefill: Prefill | null }) {
  const sites = useAnswer('GET /jobs/sites', {}, { every: 0 });
  const chosen = useSignal<readonly string[]>(prefill?.sites ?? ['indeed']);
  const values = useSignal<Record<string, unknown>>(prefill?.params ?? {});
  const { problem, isBusy, submit } = useSubmit();
  if (sites.problem) return <ProblemNote problem={sites.problem} onRetry={sites.reload} />;
  if (!sites.data) return <Skeleton />;
  const all = sites.data.data.sites;
  const used = all.filter(({ name }) => chosen.value.includes(name));
  const schema = commonSchema(used);
  const params = Object.fromEntries(Object.entries(values.value).filter(([name]) => schema.properties?.[name]));
  const names = used.map(({ name }) => name);
  const body = { site_name: names, ...params };
  const choice = ({ name, title, enabled }: Site) => (
    <label key={name}>
      <input
        type="checkbox"
        checked={chosen.value.includes(name)}
        onChange={() => {
          chosen.value = chosen.value.includes(name)
            ? chosen.value.filter((one) => one !== name)
            : [...chosen.value, name];
        }}
      />
      {title}
      {!enabled && <span class="quiet small"> (paused)</span>}
    </label>
  );
  const problems: readonly FieldProblem[] = problem?.fields ?? [];
  return (
    <FormFrame
      about="Searches one job site or several, and keeps the postings."
      action="Search"
      isBusy={isBusy}
      isReady={names.length > 0}
      problem={problem}
      examples={searchExamples(location.origin, names, params)}
      onExample={() => {
        chosen.value = ['indeed', 'linkedin'];
        values.value = { search_term: 'registered nurse', location: 'Boston, MA', results_wanted: 30 };
      }}
      onSubmit={() =>
        void submit(body, async (idempotencyKey) => {
          const { data } = await call('POST /jobs/scrape', { query: {}, body: body as never, idempotencyKey });
          return data.run_id;
        })
      }
    >
      <fieldset class="choices">
        <legend>Sites</legend>
        {all.filter(isBoard).map(choice)}
        <details open={used.some((site) => !isBoard(site))}>
          <summary>Career pages and feeds</summary>
          <div class="choices">{all.filter((site) => !isBoard(site)).map(choice)}</div>
        </details>
      </fieldset>
      {names.length === 0 ? (
        <p class="field-problem">Choose at least one site.</p>
      ) : (
        <SchemaForm
          schema={schema}
          values={values.value}
          onChange={(next) => {
            values.value = next;
          }}
          problems={problems}
          first={FIRST}
        />
      )}
    </FormFrame>
  );
}
