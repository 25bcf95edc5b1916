// The table of every list: a sticky head, columns to choose (in the URL), rows that are links, j/k to move, cards on a phone. It never reorders by itself:
// see live/steady.ts. Roles are written out because as cards its elements are no longer displayed as a table.
import type { ComponentChildren } from 'preact';
import { queryParam, setQuery } from '../address/router.ts';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';
import { count } from './text/words.ts';

export interface Column<T> {
  key: string;
  title: string;
  cell(row: T): ComponentChildren;
  isNumber?: boolean;
  /** Not shown unless chosen. */
  isExtra?: boolean;
  /** Takes the room that is left. */
  isWide?: boolean;
  /** The value of the `sort` parameter that sorts by it. */
  sort?: string;
}

export interface TableProps<T> {
  /** What it lists, for screen readers. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf(row: T): string;
  /** The first cell of a row is a link to it. */
  hrefOf?(row: T): string;
  /** Which row is open. */
  openKey?: string | null;
  selection?: { keys: ReadonlySet<string>; onChange(keys: ReadonlySet<string>): void; labelOf(row: T): string };
  newCount?: number;
  onShowNew?(): void;
  more?: { hasMore: boolean; isReading: boolean; onMore(): void };
  /** Beside the chooser of columns. */
  toolbar?: ComponentChildren;
}

const COLUMNS = 'cols';

/** The columns that the URL names; without it those that are not extra. */
export function chosenColumns<T>(columns: readonly Column<T>[]): readonly Column<T>[] {
  const named = queryParam(COLUMNS)?.split(',');
  const found = named && columns.filter((column, at) => at === 0 || named.includes(column.key));
  return found && found.length > 0 ? found : columns.filter((column) => !column.isExtra);
}

export function Table<T>(props: TableProps<T>) {
  const { label, columns, rows, keyOf, newCount = 0, more, selection, toolbar } = props;
  const shown = chosenColumns(columns);
  return (
    <section class="table-frame" aria-label={label}>
      <div class="table-tools">
        {toolbar}
        <span class="grow" />
        <ColumnChooser columns={columns} shown={shown} />
      </div>
      {newCount > 0 && (
        <button type="button" class="new-rows" onClick={props.onShowNew}>
          <Icon name="up" /> {count(newCount)} new
        </button>
      )}
      <table class="table" role="table">
        <thead role="rowgroup">
          <tr role="row">
            {selection && <SelectAll {...props} selection={selection} />}
            {shown.map((column) => (
              <Head key={column.key} column={column} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <Row key={keyOf(row)} row={row} shown={shown} props={props} />
          ))}
        </tbody>
      </table>
      {more?.hasMore && (
        <div class="table-more">
          <button type="button" class="button" onClick={more.onMore} disabled={more.isReading}>
            {more.isReading ? 'Loading…' : 'Show more'}
          </button>
        </div>
      )}
    </section>
  );
}

function Row<T>({ row, shown, props }: { row: T; shown: readonly Column<T>[]; props: TableProps<T> }) {
  const { keyOf, hrefOf, openKey, selection } = props;
  const key = keyOf(row);
  const isSelected = selection?.keys.has(key) ?? false;
  return (
    <tr role="row" data-key={key} class={`${key === openKey ? 'open' : ''} ${isSelected ? 'selected' : ''}`}>
      {selection && (
        <td role="cell" class="select">
          <input
            type="checkbox"
            checked={isSelected}
            aria-label={`Select ${selection.labelOf(row)}`}
            onChange={() => selection.onChange(toggled(selection.keys, key))}
          />
        </td>
      )}
      {shown.map((column, at) => (
        <td
          key={column.key}
          role="cell"
          data-label={column.title}
          class={`${column.isNumber ? 'number' : ''} ${column.isWide ? 'wide' : ''}`}
        >
          {at === 0 && hrefOf ? (
            <a class="row-link" href={hrefOf(row)}>
              {column.cell(row)}
            </a>
          ) : (
            (column.cell(row) ?? <span class="quiet nothing">–</span>)
          )}
        </td>
      ))}
    </tr>
  );
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

function SelectAll<T>({
  rows,
  keyOf,
  selection,
}: TableProps<T> & { selection: NonNullable<TableProps<T>['selection']> }) {
  const isAll = rows.length > 0 && rows.every((row) => selection.keys.has(keyOf(row)));
  return (
    <th role="columnheader" scope="col" class="select">
      <input
        type="checkbox"
        checked={isAll}
        aria-label="Select all rows"
        onChange={() => selection.onChange(new Set(isAll ? [] : rows.map(keyOf)))}
      />
    </th>
  );
}

/** Sorted by it when the URL says so; a second click turns it round. */
function Head<T>({ column }: { column: Column<T> }) {
  const { title, sort, isNumber, isWide } = column;
  const current = queryParam('sort');
  const isUp = sort !== undefined && current === sort;
  const isDown = sort !== undefined && current === `-${sort}`;
  const className = `${isNumber ? 'number' : ''} ${isWide ? 'wide' : ''}`;
  if (sort === undefined)
    return (
      <th role="columnheader" scope="col" class={className}>
        {title}
      </th>
    );
  return (
    <th
      role="columnheader"
      scope="col"
      class={className}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}
    >
      <button type="button" onClick={() => setQuery({ sort: isDown ? sort : isUp ? null : `-${sort}` })}>
        {title}
        {(isUp || isDown) && <Icon name={isUp ? 'up' : 'down'} />}
      </button>
    </th>
  );
}

function ColumnChooser<T>({ columns, shown }: { columns: readonly Column<T>[]; shown: readonly Column<T>[] }) {
  const isShown = (column: Column<T>) => shown.includes(column);
  const choose = (column: Column<T>): void => {
    const next = columns.filter((one) => (one === column ? !isShown(one) : isShown(one))).map(({ key }) => key);
    const usual = columns.filter((one) => !one.isExtra).map(({ key }) => key);
    setQuery({ [COLUMNS]: next.join() === usual.join() ? null : next.join(',') });
  };
  return (
    <Menu label="Columns" icon="columns">
      {columns.slice(1).map((column) => (
        <label key={column.key} class="menu-line">
          <input type="checkbox" checked={isShown(column)} onChange={() => choose(column)} />
          {column.title}
        </label>
      ))}
    </Menu>
  );
}
