// How the scrape of each company went.
import type { Schemas } from '../../../client/routes.generated.ts';
import { usePages } from '../../live/pages.ts';
import { Status } from '../../parts/status.tsx';
import { count } from '../../parts/text/words.ts';
import { ResultList } from './result-list.tsx';
import type { RunDetail } from './screen.tsx';

type Session = Schemas['ListSessionsReply']['sessions'][number];

export function CompanyResults({ run }: { run: RunDetail }) {
  const sessions = usePages(
    'GET /sessions',
    { query: { run_id: run.run_id, limit: 50 } },
    {
      every: run.status === 'running' ? 3 : 0,
      listOf: (reply): readonly Session[] => reply.sessions,
      cursorOf: (reply) => reply.next_cursor,
      keyOf: ({ id }) => String(id),
    },
  );
  return (
    <ResultList results={sessions} isRunning={run.status === 'running'}>
      {sessions.rows.map((session) => (
        <li key={session.id} class="card">
          <h2>
            {session.company} <Status status={session.status} />
          </h2>
          <p class="small quiet">
            {count(session.jobs_found)} found, {count(session.new)} new, {count(session.updated)} changed,{' '}
            {count(session.deactivated)} gone
          </p>
        </li>
      ))}
    </ResultList>
  );
}
