// What the three kinds of items have in common: a list with filters, facets, and a row that can be opened. Each kind is one file beside this one.
import type { ComponentChildren, ComponentType } from 'preact';
import type { Reply } from '../../api/call.ts';
import type { IconName } from '../../parts/icon.tsx';
import type { Column } from '../../parts/table.tsx';

export type ListRoute = 'GET /postings' | 'GET /products' | 'GET /articles';
export type FacetRoute = `${ListRoute}/facets`;
export type FacetReply = Reply<'GET /postings/facets'>;

export interface DataKind<T> {
  id: 'postings' | 'products' | 'articles';
  title: string;
  icon: IconName;
  list: ListRoute;
  facets: FacetRoute;
  rowsOf(reply: unknown): readonly T[];
  keyOf(row: T): string;
  columns: readonly Column<T>[];
  /** Facets that are shown, which are filters of the same name. */
  facetNames: readonly string[];
  /** Other filters of the URL that go to the API. */
  filterNames: readonly string[];
  Filters: ComponentType;
  sorts: readonly (readonly [value: string, label: string])[];
  placeholder: string;
  titleOf(row: T): string;
  Detail: ComponentType<{ row: T }>;
  Charts: ComponentType<{ query: Record<string, string> }>;
  empty: { text: ComponentChildren; commands: readonly string[] };
}
