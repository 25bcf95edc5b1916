// One source: health, breaker, how it did over time, how complete its items are, what was judged suspect, its last dead letters.
import { call } from '../../api/call.ts';
import { useAnswer } from '../../live/answers.ts';
import { AskReason } from '../../parts/ask-reason.tsx';
import { Bar } from '../../parts/chart/bar.tsx';
import { Drawer } from '../../parts/drawer.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/text/time.tsx';
import { bytes, count, duration, percent, plural, shorten } from '../../parts/text/words.ts';
import { attempt, toast } from '../../parts/toasts.tsx';
import { may } from '../../shell/session.ts';
import { BucketChart } from '../data/charts.tsx';
import { type Source, SourceStatus } from './screen.tsx';

export function SourceDrawer({ name, onChange }: { name: string; onChange(): void }) {
  const answer = useAnswer('GET /sources/{name}', { path: { name } }, { every: 5 });
  const source = answer.data as Source | null;
  const reload = () => {
    answer.reload();
    onChange();
  };
  if (!source)
    return (
      <Drawer title={name}>
        {answer.problem ? <ProblemNote problem={answer.problem} onRetry={answer.reload} /> : <Skeleton />}
      </Drawer>
    );
  return (
    <Drawer
      title={
        <>
          {source.title} <SourceStatus source={source} />
        </>
      }
      actions={<Actions source={source} onDone={reload} />}
    >
      {answer.problem && <ProblemNote problem={answer.problem} onRetry={answer.reload} />}
      <State source={source} />
      <BucketChart
        title="Attempts an hour"
        route="GET /analytics/sources"
        query={{ source: name, bucket: 'hour' }}
        lines={[
          { field: 'done', label: 'Done', tone: 'good' },
          { field: 'retried', label: 'Tried again', tone: 'warn' },
          { field: 'failed', label: 'Failed', tone: 'bad' },
        ]}
        isBars
      />
      <BucketChart
        title="Seconds for an attempt"
        route="GET /analytics/sources"
        query={{ source: name, bucket: 'hour' }}
        lines={[
          { field: 'latency_p50', label: 'Median', tone: 'accent' },
          { field: 'latency_p90', label: 'Slowest 10 %', tone: 'warn' },
          { field: 'latency_p99', label: 'Slowest 1 %', tone: 'bad' },
        ]}
        format={duration}
      />
      <BucketChart
        title="Items an hour"
        route="GET /analytics/sources"
        query={{ source: name, bucket: 'hour' }}
        lines={[{ field: 'items', label: 'Items', tone: 'active' }]}
        isBars
      />
      <Filled source={source} />
      <Verdicts source={name} />
      <LastLetters source={name} />
    </Drawer>
  );
}

function State({ source }: { source: Source }) {
  const { paused, breaker, last_day, last_error } = source;
  return (
    <Facts
      facts={[
        [
          'Paused',
          paused && (
            <>
              <Time at={paused.since} />
              {paused.by && ` by ${paused.by}`}
              {paused.reason && `: ${paused.reason}`}
            </>
          ),
        ],
        [
          'Breaker',
          breaker.state === 'closed' ? null : (
            <>
              <Status status={breaker.state} label={breaker.state.replaceAll('_', ' ')} />{' '}
              {breaker.reason && shorten(breaker.reason, 200)}
              {breaker.until && (
                <>
                  {' · tries again '}
                  <Time at={breaker.until} />
                </>
              )}
            </>
          ),
        ],
        ['It waits', source.waiting_reason],
        ['Queue', `${count(source.waiting)} waiting, ${count(source.active)} at work`],
        ['Workers', source.workers === null ? null : count(source.workers)],
        ['Success in 24 h', `${percent(last_day.success_rate)} of ${plural(last_day.attempts, 'attempt')}`],
        ['Blocks, CAPTCHAs', `${count(last_day.blocks)}, ${count(last_day.captchas)}`],
        ['Requests', `${count(last_day.requests)} (${bytes(last_day.bytes)})`],
        [
          'Last error',
          last_error && (
            <>
              <span class="text-bad">{shorten(last_error.message, 300)}</span> <Time at={last_error.at} />
            </>
          ),
        ],
        ['Lane', source.lane],
        ['Hosts', shorten(source.hosts.join(', '), 200)],
        ['Module', source.module],
      ]}
    />
  );
}

function Actions({ source, onDone }: { source: Source; onDone(): void }) {
  const path = { name: source.name };
  const resume = async () => {
    const done = await attempt(() => call('POST /sources/{name}/resume', { path }), `Resumed ${source.name}.`);
    if (done) onDone();
    return done;
  };
  const pause = async (body: { reason?: string }) => {
    const done = await attempt(() => call('POST /sources/{name}/pause', { path, body }));
    if (done) {
      toast(`Paused ${source.name}. Its tasks wait until it is resumed.`, {
        label: 'Undo',
        onClick: () => void resume(),
      });
      onDone();
    }
    return done;
  };
  return (
    <>
      <a class="button" href={`/ui/runs?q=${encodeURIComponent(`source:${source.name}`)}`}>
        <Icon name="runs" /> Its runs
      </a>
      {may('admin') &&
        (source.paused ? (
          <button type="button" class="button primary" onClick={() => void resume()}>
            <Icon name="play" /> Resume
          </button>
        ) : (
          <AskReason
            label="Pause"
            icon="pause"
            title={`Pause ${source.title}?`}
            hint="Everyone whose run waits for it will read it."
            onReason={pause}
          >
            Tasks at work finish. All others wait, and nothing is lost, until somebody resumes it.
          </AskReason>
        ))}
    </>
  );
}

function Filled({ source: { quality } }: { source: Source }) {
  const fields = Object.entries(quality.filled ?? {}).sort(([, a], [, b]) => b - a);
  if (fields.length === 0) return null;
  return (
    <section>
      <h3>How often a field has a value</h3>
      <p class="quiet small">Of the last {plural(quality.items, 'item')}.</p>
      <ul class="filled">
        {fields.map(([field, share]) => (
          <li key={field}>
            <span class="cut">{field.replaceAll('_', ' ')}</span>
            <Bar
              label={`${field}: ${percent(share)}`}
              total={1}
              parts={[{ value: share, tone: share < 0.5 ? 'warn' : 'good' }]}
            />
            <span>{percent(share)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Verdicts({ source }: { source: string }) {
  const { data } = useAnswer('GET /quality', { query: { source, limit: 5 } }, { every: 0 });
  if (!data || data.checks.length === 0) return null;
  return (
    <section>
      <h3>Quality of the last runs</h3>
      <ul class="plain-list">
        {data.checks.map((check) => (
          <li key={`${check.run_id} ${check.task_id}`}>
            <a href={`/ui/runs/${encodeURIComponent(check.run_id)}`}>{shorten(check.about ?? check.run_id, 60)}</a>{' '}
            <Status status={check.verdict === 'succeeded_with_warnings' ? 'warning' : check.verdict} />{' '}
            <span class="quiet">
              <Time at={check.checked_at} />
            </span>
            {check.findings.map(({ rule, message }) => (
              <p key={rule} class="small">
                {message}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function LastLetters({ source }: { source: string }) {
  const { data } = useAnswer('GET /dead-letters', { query: { source, limit: 5 } }, { every: 30 });
  if (!data || data.dead_letters.length === 0) return null;
  return (
    <section>
      <h3>
        Last dead letters <a href={`/ui/dead-letters?source=${encodeURIComponent(source)}`}>all</a>
      </h3>
      <ul class="plain-list">
        {data.dead_letters.map(({ task_id, error, died_at }) => (
          <li key={task_id}>
            <a href={`/ui/dead-letters?open=${task_id}`}>{shorten(error?.message ?? 'no reason recorded', 120)}</a>{' '}
            <span class="quiet">
              <Time at={died_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
