// What went wrong, with the fields that are wrong and what to do. Also as a line above old data, which stays.
import { fieldLabel, type Problem, UNREACHABLE } from '../api/problem.ts';
import { Icon } from './icon.tsx';

export function ProblemNote({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) {
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div>
        <p>{problem.message}</p>
        {problem.fields.length > 0 && (
          <ul>
            {problem.fields.map(({ pointer, detail }) => (
              <li key={pointer + detail}>
                <b>{fieldLabel(pointer) || 'request'}</b> {detail}
              </li>
            ))}
          </ul>
        )}
        {problem.code === UNREACHABLE && (
          <p class="quiet">
            Is the server running? Start it with <code>npx windrow up</code>. This page comes back by itself.
          </p>
        )}
        {problem.requestId && (
          <p class="quiet">
            Request <code>{problem.requestId}</code>: the log of the server has more.
          </p>
        )}
      </div>
      {onRetry && (
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
