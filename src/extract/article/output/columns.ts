// In which column each cell of the tables of a page begins, with cells that span several columns or rows before it.
// What a reader would get wrong: empty cells have no text and so no block, but they keep their column.
import type { Page, TreeNode } from '../page/tree.ts';

/** Further right nothing is counted. */
const MAX_COLUMNS = 100;
const MAX_ROWS = 1_000;

interface Grid {
  row: TreeNode | null;
  /** By column, in how many rows from here, this one too, it is taken from above. */
  taken: number[];
  next: number;
}

/** One pass over the page, whatever is nested in what. */
export function columnsOf(page: Page): Map<TreeNode, number> {
  const columns = new Map<TreeNode, number>();
  const grids = new Map<TreeNode, Grid>();
  for (const node of page.nodes) {
    if (node.tag !== 'td' && node.tag !== 'th') continue;
    const row = node.parent;
    const body = row?.parent;
    if (row?.tag !== 'tr' || !body) continue;
    const table = body.tag === 'table' ? body : (body.parent ?? body);
    let grid = grids.get(table);
    if (!grid) {
      grid = { row: null, taken: [], next: 0 };
      grids.set(table, grid);
    }
    columns.set(node, place(grid, row, node));
  }
  return columns;
}

function place(grid: Grid, row: TreeNode, cell: TreeNode): number {
  if (grid.row !== row) {
    grid.taken = grid.row === null ? [] : grid.taken.map((rows) => Math.max(0, rows - 1));
    grid.row = row;
    grid.next = 0;
  }
  while (grid.next < MAX_COLUMNS && (grid.taken[grid.next] ?? 0) > 0) grid.next++;
  const column = grid.next;
  const wide = spanOf(cell.attrs.colspan, MAX_COLUMNS);
  const high = spanOf(cell.attrs.rowspan, MAX_ROWS);
  for (let i = 0; i < wide && grid.next < MAX_COLUMNS; i++, grid.next++) grid.taken[grid.next] = high;
  return column;
}

function spanOf(said: string | undefined, most: number): number {
  const span = Number.parseInt(said ?? '1', 10);
  return span >= 1 ? Math.min(most, span) : 1;
}
