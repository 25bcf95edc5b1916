// A schedule, made or changed: what it starts, and when, with the next times while it is typed.
import { useSignal } from '@preact/signals';
import { setQuery } from '../../address/router.ts';
import { call } from '../../api/call.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { useAnswer } from '../../live/answers.ts';
import { now } from '../../live/clock.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/form/field.tsx';
import type { JsonSchema } from '../../parts/form/json-schema.ts';
import { SchemaForm } from '../../parts/form/schema-form.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { exactTime } from '../../parts/text/words.ts';
import { toast } from '../../parts/toasts.tsx';
import type { Schedule } from './screen.tsx';
import { nextTimes } from './when.ts';

interface ScheduleDialogProps {
  /** Null: a new one. */
  schedule: Schedule | null;
  onSaved(): void;
  onClose?(): void;
}

const SHOWN_TIMES = 5;
const TASKS = [
  ['search', 'A search of a site'],
  ['companies.scrape', 'A scrape of all companies'],
] as const;

export function ScheduleDialog({ schedule, onSaved, onClose = () => setQuery({ new: null }) }: ScheduleDialogProps) {
  const sites = useAnswer('GET /jobs/sites', {}, { every: 0 });
  const task = useSignal<string>(schedule?.task ?? 'search');
  const site = useSignal(schedule?.site_name ?? 'indeed');
  const payload = useSignal<Record<string, unknown>>(schedule?.payload ?? {});
  const isCron = useSignal(schedule ? schedule.cron !== null : true);
  const cron = useSignal(schedule?.cron ?? '0 7 * * *');
  const zone = useSignal(schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const minutes = useSignal(String(schedule?.interval_minutes ?? 1_440));
  const overlap = useSignal<'skip' | 'queue'>(schedule?.overlap ?? 'skip');
  const problem = useSignal<Problem | null>(null);
  const isBusy = useSignal(false);
  const found = sites.data?.data.sites.find(({ name }) => name === site.value);
  const preview = isCron.value ? nextTimes(cron.value, zone.value, SHOWN_TIMES, new Date(now.value)) : null;
  const fieldProblem = (name: string) => problem.value?.fields.find(({ pointer }) => pointer === `/${name}`)?.detail;

  async function save(): Promise<void> {
    isBusy.value = true;
    problem.value = null;
    const timing = isCron.value
      ? { cron: cron.value.trim(), timezone: zone.value.trim(), interval_minutes: null }
      : { interval_minutes: Number(minutes.value), cron: null };
    const what =
      task.value === 'search' ? { site_name: site.value, payload: payload.value } : { payload: payload.value };
    try {
      if (schedule)
        await call('PATCH /schedules/{schedule_id}', {
          path: { schedule_id: schedule.id },
          body: { ...timing, ...what, overlap: overlap.value },
        });
      else
        await call('POST /schedules', {
          body: { ...timing, ...what, task: task.value as 'search', overlap: overlap.value },
        });
      toast(schedule ? 'Saved.' : 'The schedule is on.');
      onSaved();
      onClose();
    } catch (error) {
      problem.value = asProblem(error);
    }
    isBusy.value = false;
  }

  return (
    <Dialog
      title={schedule ? 'Edit schedule' : 'New schedule'}
      className="wide"
      onClose={onClose}
      actions={
        <button type="submit" form="schedule-form" class="button primary" disabled={isBusy.value}>
          {schedule ? 'Save' : 'Create'}
        </button>
      }
    >
      <form
        id="schedule-form"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {problem.value && <ProblemNote problem={problem.value} />}
        <div class="form-grid">
          <Field label="Starts" id="schedule-task">
            <select
              id="schedule-task"
              disabled={schedule !== null}
              value={task.value}
              onChange={(event) => {
                task.value = event.currentTarget.value;
              }}
            >
              {TASKS.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
              {!TASKS.some(([value]) => value === task.value) && <option value={task.value}>{task.value}</option>}
            </select>
          </Field>
          {task.value === 'search' && (
            <Field label="Site" id="schedule-site" problem={fieldProblem('site_name')}>
              <select
                id="schedule-site"
                value={site.value}
                onChange={(event) => {
                  site.value = event.currentTarget.value;
                  payload.value = {};
                }}
              >
                {(sites.data?.data.sites ?? []).map(({ name, title }) => (
                  <option key={name} value={name}>
                    {title}
                  </option>
                ))}
              </select>
            </Field>
          )}
        </div>
        {task.value === 'search' && found && (
          <SchemaForm
            schema={found.params as JsonSchema}
            values={payload.value}
            prefix="/payload"
            problems={problem.value?.fields ?? []}
            first={['search_term', 'location', 'results_wanted']}
            onChange={(values) => {
              payload.value = values;
            }}
          />
        )}
        <fieldset class="choice-line">
          <legend>When</legend>
          <label>
            <input
              type="radio"
              name="timing"
              checked={isCron.value}
              onChange={() => {
                isCron.value = true;
              }}
            />
            At times (cron)
          </label>
          <label>
            <input
              type="radio"
              name="timing"
              checked={!isCron.value}
              onChange={() => {
                isCron.value = false;
              }}
            />
            At intervals
          </label>
        </fieldset>
        <div class="form-grid">
          {isCron.value ? (
            <>
              <Field
                label="Cron expression"
                id="schedule-cron"
                problem={fieldProblem('cron') ?? preview?.problem ?? undefined}
                hint="Minute, hour, day, month, weekday: 0 7 * * 1-5"
              >
                <input
                  id="schedule-cron"
                  type="text"
                  spellcheck={false}
                  value={cron.value}
                  onInput={(event) => {
                    cron.value = event.currentTarget.value;
                  }}
                />
              </Field>
              <Field label="Time zone" id="schedule-zone" problem={fieldProblem('timezone')}>
                <input
                  id="schedule-zone"
                  type="text"
                  value={zone.value}
                  onInput={(event) => {
                    zone.value = event.currentTarget.value;
                  }}
                />
              </Field>
            </>
          ) : (
            <Field
              label="Minutes between two starts"
              id="schedule-minutes"
              problem={fieldProblem('interval_minutes')}
              hint="Give or take a tenth, so that not all start at once."
            >
              <input
                id="schedule-minutes"
                type="number"
                min={1}
                value={minutes.value}
                onInput={(event) => {
                  minutes.value = event.currentTarget.value;
                }}
              />
            </Field>
          )}
          <Field label="If the last run goes on" id="schedule-overlap">
            <select
              id="schedule-overlap"
              value={overlap.value}
              onChange={(event) => {
                overlap.value = event.currentTarget.value as 'skip' | 'queue';
              }}
            >
              <option value="skip">Skip this time</option>
              <option value="queue">Start when it has ended</option>
            </select>
          </Field>
        </div>
        {preview && preview.times.length > 0 && (
          <div>
            <h3>The next times</h3>
            <ol class="next-times">
              {preview.times.map((time) => (
                <li key={time.getTime()}>{exactTime(time.getTime())}</li>
              ))}
            </ol>
          </div>
        )}
      </form>
    </Dialog>
  );
}
