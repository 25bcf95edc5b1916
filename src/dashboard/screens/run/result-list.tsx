// What all lists of results have in common: nothing yet, more, and what went wrong.
import type { ComponentChildren } from 'preact';
import type { Problem } from '../../api/problem.ts';
import { Empty } from '../../parts/empty.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';

interface ResultListProps {
  results: {
    rows: readonly unknown[];
    isFirst: boolean;
    problem: Problem | null;
    reload(): void;
    hasMore: boolean;
    isReadingMore: boolean;
    moreProblem: Problem | null;
    readMore(): void;
  };
  isRunning: boolean;
  children: ComponentChildren;
}

export function ResultList({ results, isRunning, children }: ResultListProps) {
  if (results.isFirst) return <Skeleton />;
  return (
    <>
      {results.problem && <ProblemNote problem={results.problem} onRetry={results.reload} />}
      {results.rows.length === 0 && !results.problem && (
        <Empty icon="list" title={isRunning ? 'No results yet' : 'No results'}>
          {isRunning ? 'They appear here as they come.' : 'The tasks say what happened.'}
        </Empty>
      )}
      <ul class="cards">{children}</ul>
      {results.moreProblem && <ProblemNote problem={results.moreProblem} onRetry={results.readMore} />}
      {results.hasMore && (
        <p class="more-results">
          <button type="button" class="button" disabled={results.isReadingMore} onClick={results.readMore}>
            {results.isReadingMore ? 'Loading…' : 'Show more'}
          </button>
        </p>
      )}
    </>
  );
}
