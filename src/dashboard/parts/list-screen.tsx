// A list that is loading, failed, empty, or a table: the same on every screen.
import type { ComponentChildren } from 'preact';
import type { Problem } from '../api/problem.ts';
import { ProblemNote } from './problem.tsx';
import { Skeleton } from './skeleton.tsx';
import { Table, type TableProps } from './table.tsx';

interface ListProps<T> extends Omit<TableProps<T>, 'rows' | 'keyOf'> {
  list: {
    rows: readonly T[];
    isFirst: boolean;
    problem: Problem | null;
    moreProblem: Problem | null;
    reload(): void;
    readMore(): void;
    table: Pick<TableProps<T>, 'rows' | 'keyOf' | 'newCount' | 'onShowNew' | 'more'>;
  };
  /** What is shown when there is nothing. */
  empty: ComponentChildren;
}

export function List<T>({ list, empty, ...table }: ListProps<T>) {
  if (list.isFirst) return <Skeleton rows={10} label={`Loading ${table.label.toLowerCase()}`} />;
  return (
    <>
      {list.problem && <ProblemNote problem={list.problem} onRetry={list.reload} />}
      {list.rows.length > 0 ? <Table {...table} {...list.table} /> : !list.problem && empty}
      {list.moreProblem && <ProblemNote problem={list.moreProblem} onRetry={list.readMore} />}
    </>
  );
}
