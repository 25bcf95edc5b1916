// The settings in force, to read: they are changed in the environment or the settings file, and with a restart.
import { queryParam } from '../../address/router.ts';
import { useAnswer } from '../../live/answers.ts';
import { Empty } from '../../parts/empty.tsx';
import { TextFilter } from '../../parts/form/filters.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import './settings.css';

export function Screen() {
  const answer = useAnswer('GET /settings', {}, { every: 0 });
  const words = (queryParam('q') ?? '').toLowerCase();
  if (answer.isFirst) return <Skeleton rows={12} label="Loading settings" />;
  const topics = (answer.data?.topics ?? [])
    .map(({ topic, settings }) => ({
      topic,
      settings: settings.filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(words)),
    }))
    .filter(({ settings }) => settings.length > 0);
  return (
    <>
      <div class="page-head">
        <h1>Settings</h1>
        <span class="quiet">of this process. Secrets are hidden.</span>
      </div>
      {answer.problem && <ProblemNote problem={answer.problem} onRetry={answer.reload} />}
      <search class="filters">
        <TextFilter param="q" label="Search settings" placeholder="WEB_ROBOTS" isMain />
      </search>
      {answer.data && topics.length === 0 && (
        <Empty icon="filter" title="No setting matches">
          <a href="/ui/settings">Show all settings</a>
        </Empty>
      )}
      <div class="stack">
        {topics.map(({ topic, settings }) => (
          <section key={topic} class="panel">
            <h2>{topic}</h2>
            <dl class="settings">
              {settings.map(({ name, value, is_default, about }) => (
                <div key={name}>
                  <dt>
                    <code>{name}</code>
                  </dt>
                  <dd class={is_default ? 'quiet' : 'setting-changed'}>
                    {value ?? '–'}
                    {!is_default && <span class="badge">set</span>}
                  </dd>
                  <dd class="quiet small">{about}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </>
  );
}
