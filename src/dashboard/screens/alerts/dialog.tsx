// A new alert, with what it would have found among the postings that are there.
import { useSignal } from '@preact/signals';
import type { Schemas } from '../../../client/routes.generated.ts';
import { setQuery } from '../../address/router.ts';
import { call } from '../../api/call.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/form/field.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { plural, shorten } from '../../parts/text/words.ts';
import { toast } from '../../parts/toasts.tsx';

type Search = Schemas['CreateAlertRequest']['search'];

const FIELDS = [
  ['q', 'Words', 'python "data engineer" -junior'],
  ['company', 'Company', ''],
  ['location', 'Place', 'Berlin'],
  ['source', 'Sources', 'indeed,linkedin'],
] as const;

export function AlertDialog({ onSaved }: { onSaved(): void }) {
  const name = useSignal('');
  const search = useSignal<Search>({});
  const webhook = useSignal('');
  const found = useSignal<Schemas['PreviewAlertReply'] | null>(null);
  const problem = useSignal<Problem | null>(null);
  const close = () => setQuery({ new: null });
  const set = (field: keyof Search, value: string) => {
    const { [field]: _, ...rest } = search.value;
    search.value = value.trim() === '' ? rest : { ...rest, [field]: value.trim() };
    found.value = null;
  };
  async function guarded(work: () => Promise<void>): Promise<void> {
    problem.value = null;
    try {
      await work();
    } catch (error) {
      problem.value = asProblem(error);
    }
  }
  const preview = () =>
    guarded(async () => {
      found.value = await call('POST /alerts/preview', { body: { search: search.value } });
    });
  const save = () =>
    guarded(async () => {
      await call('POST /alerts', {
        body: {
          name: name.value.trim(),
          search: search.value,
          ...(webhook.value.trim() ? { webhook_url: webhook.value.trim() } : {}),
        },
      });
      toast('The alert is on.');
      onSaved();
      close();
    });
  return (
    <Dialog
      title="New alert"
      className="wide"
      onClose={close}
      actions={
        <>
          <button type="button" class="button" onClick={() => void preview()}>
            What would match?
          </button>
          <button type="submit" form="alert-form" class="button primary">
            Create
          </button>
        </>
      }
    >
      <form
        id="alert-form"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {problem.value && <ProblemNote problem={problem.value} />}
        <Field label="Name" id="alert-name" isRequired>
          <input
            id="alert-name"
            type="text"
            required
            value={name.value}
            onInput={(event) => {
              name.value = event.currentTarget.value;
            }}
          />
        </Field>
        <div class="form-grid">
          {FIELDS.map(([field, label, placeholder]) => (
            <Field key={field} label={label} id={`alert-${field}`}>
              <input
                id={`alert-${field}`}
                type="text"
                placeholder={placeholder}
                onInput={(event) => set(field, event.currentTarget.value)}
              />
            </Field>
          ))}
          <Field label="Remote" id="alert-remote">
            <select id="alert-remote" onChange={(event) => set('remote_type', event.currentTarget.value)}>
              <option value="">Any</option>
              <option value="remote">Remote</option>
              <option value="hybrid">Hybrid</option>
              <option value="onsite">On site</option>
            </select>
          </Field>
          <Field label="Webhook URL" id="alert-webhook" hint="Without one: by feed.">
            <input
              id="alert-webhook"
              type="text"
              inputMode="url"
              value={webhook.value}
              onInput={(event) => {
                webhook.value = event.currentTarget.value;
              }}
            />
          </Field>
        </div>
        {found.value && (
          <div role="status">
            <p>
              <b>
                {found.value.has_more ? 'More than ' : ''}
                {plural(found.value.matching, 'posting')}
              </b>{' '}
              that are there would match.
            </p>
            <ul>
              {found.value.newest.slice(0, 5).map(({ job_hash, title, company }) => (
                <li key={job_hash} class="small quiet">
                  {shorten(title, 80)} {company && `· ${company}`}
                </li>
              ))}
            </ul>
          </div>
        )}
      </form>
    </Dialog>
  );
}
