// What needs attention, then how it goes. Every number leads to the list behind it.
import type { Reply } from '../../api/call.ts';
import { useAnswer } from '../../live/answers.ts';
import { Chart } from '../../parts/chart/chart.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { count, duration, percent, shortCount } from '../../parts/text/words.ts';
import { may } from '../../shell/session.ts';
import { AttentionList } from './attention.tsx';
import { Figure } from './figure.tsx';
import { Latest } from './latest.tsx';
import { useQueueHistory } from './queue-history.ts';
import './overview.css';

export type Overview = Reply<'GET /overview'>;

export function Screen() {
  const answer = useAnswer('GET /overview', {}, { every: 5 });
  const history = useQueueHistory(answer.data);
  return (
    <div class="stack">
      <h1 class="for-readers">Overview</h1>
      {answer.problem && <ProblemNote problem={answer.problem} onRetry={answer.reload} />}
      {answer.data ? (
        <Known overview={answer.data} history={history} />
      ) : (
        !answer.problem && <Skeleton rows={12} label="Loading the overview" />
      )}
    </div>
  );
}

function Known({ overview, history }: { overview: Overview; history: ReturnType<typeof useQueueHistory> }) {
  const { attention, hours } = overview;
  const isNew = hours.every(({ done, failed, retried }) => done + failed + retried === 0);
  return (
    <>
      {isNew && overview.queue.waiting === 0 && <Welcome />}
      <AttentionList attention={attention} />
      <Figures overview={overview} />
      <div class="columns-2">
        <section class="panel">
          <Chart
            title="Attempts an hour"
            times={hours.map(({ at }) => Date.parse(at) / 1_000)}
            isStacked
            format={shortCount}
            series={[
              { label: 'done', tone: 'good', values: hours.map(({ done }) => done) },
              { label: 'tried again', tone: 'warn', values: hours.map(({ retried }) => retried) },
              { label: 'failed', tone: 'bad', values: hours.map(({ failed }) => failed) },
            ]}
          />
        </section>
        <section class="panel">
          <Chart
            title="Time of an attempt"
            times={hours.map(({ at }) => Date.parse(at) / 1_000)}
            format={duration}
            series={[
              { label: 'half of them (p50)', tone: 'good', values: hours.map((hour) => hour.latency_seconds.p50) },
              { label: 'p95', tone: 'warn', values: hours.map((hour) => hour.latency_seconds.p95) },
              { label: 'p99', tone: 'bad', values: hours.map((hour) => hour.latency_seconds.p99) },
            ]}
          />
        </section>
        <section class="panel">
          <Chart
            title="Waiting tasks, last 6 hours"
            times={history.map(({ at }) => at)}
            isWhole
            format={shortCount}
            series={[
              { label: 'waiting', tone: 'active', values: history.map(({ waiting }) => waiting) },
              { label: 'with workers', tone: 'good', values: history.map(({ active }) => active) },
            ]}
          />
        </section>
        <section class="panel">
          <Chart
            title="Age of the oldest waiting task, last 6 hours"
            times={history.map(({ at }) => at)}
            format={duration}
            series={[{ label: 'age', tone: 'warn', values: history.map(({ age }) => age) }]}
          />
        </section>
      </div>
      <Latest />
    </>
  );
}

function Figures({ overview }: { overview: Overview }) {
  const { queue, workers, last_hour: hour } = overview;
  const attempts = hour.done + hour.failed + hour.retried;
  return (
    <dl class="figures">
      <Figure label="Ended a minute" value={count(overview.throughput_per_minute)} href="/ui/runs" />
      <Figure
        label="Waiting"
        value={shortCount(queue.waiting)}
        more={
          queue.oldest_waiting_seconds === null ? 'none is late' : `oldest ${duration(queue.oldest_waiting_seconds)}`
        }
        href="/ui/runs?q=status%3Arunning"
      />
      <Figure
        label="With workers"
        value={shortCount(queue.active)}
        more={`${count(queue.delayed)} delayed, ${count(queue.held)} held`}
        href="/ui/runs?q=status%3Arunning"
      />
      <Figure
        label="Workers"
        value={workers.count === null ? '?' : count(workers.count)}
        more={`${count(workers.busy)} of ${count(workers.slots)} slots busy`}
        href="/ui/workers"
      />
      <Figure
        label="Done, last hour"
        value={percent(attempts === 0 ? null : hour.done / attempts)}
        more={`of ${shortCount(attempts)} attempts`}
        href="/ui/sources"
      />
      <Figure
        label="Blocked, last hour"
        value={percent(hour.requests === 0 ? null : hour.blocks / hour.requests)}
        more={`${shortCount(hour.blocks)} of ${shortCount(hour.requests)} requests`}
        href="/ui/sources"
      />
      <Figure
        label="Dead letters"
        value={shortCount(overview.dead_letters)}
        more="out of attempts"
        isBad={overview.dead_letters > 0}
        href="/ui/dead-letters"
      />
    </dl>
  );
}

function Welcome() {
  return (
    <section class="panel welcome">
      <div class="stack">
        <h2>Nothing was scraped in the last day</h2>
        <p class="quiet">Search job sites, read articles, follow a company or compare prices. From here:</p>
        {may('submit') && (
          <p>
            <a class="button primary" href="/ui/new">
              <Icon name="plus" /> New run
            </a>
          </p>
        )}
      </div>
      <div class="stack">
        <p class="quiet">Or from a terminal:</p>
        <Copyable
          text={`curl ${location.origin}/jobs/scrape -H 'content-type: application/json' \\\n  -d '{"site_name":"indeed","search_term":"nurse"}'`}
        />
      </div>
    </section>
  );
}
