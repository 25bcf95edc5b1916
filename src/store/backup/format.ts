// A backup is one gzip stream of text: a line that says what it is, then each table as PostgreSQL's COPY writes it, then a line that says it is whole. It holds rows and no
// schema: that is made by the migrations of Windrow, so a backup goes into any PostgreSQL that Windrow runs on, also an embedded one, without the programs of PostgreSQL.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';

export const FORMAT = 1;
const MARK = '-- windrow backup ';
const END_MARK = '-- end of windrow backup ';
/** After the rows of a table. */
const END_OF_ROWS = Buffer.from('\n\\.\n');
const LINE_MAX = 4 * 1024 * 1024;

const Name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const Table = z.object({ name: Name, columns: z.array(Name).min(1) });
export type Table = z.infer<typeof Table>;

export const Header = z.object({
  format: z.literal(FORMAT),
  /** The version of Windrow that wrote it. */
  windrow: z.string(),
  /** The last migration of the database. */
  migration: z.int().positive(),
  at: z.iso.datetime(),
  /** In the order in which they can be filled. */
  tables: z.array(Table),
});
export type Header = z.infer<typeof Header>;

export const Footer = z.object({
  /** Rows of each table. */
  rows: z.record(z.string(), z.int().nonnegative()),
  /** The last value of each sequence that was used. */
  sequences: z.record(Name, z.string().regex(/^-?\d{1,19}$/)),
});
export type Footer = z.infer<typeof Footer>;

export const headerLine = (header: Header): string => `${MARK}${JSON.stringify(header)}\n`;
export const footerLine = (footer: Footer): string => `${END_MARK}${JSON.stringify(footer)}\n`;
export const copyLine = ({ name, columns }: Table): string =>
  `COPY windrow.${quoted(name)} (${columns.map(quoted).join(', ')}) FROM stdin;\n`;
export const ROWS_END = '\\.\n';

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const unusable = (why: string, cause?: unknown): AppError =>
  new AppError('unusable_backup', `This backup cannot be restored: ${why}`, { cause });

export const CUT_OFF = 'it ends in the middle. Take it again, or copy it again.';

/** Reads the parts of a backup in their order, in flat memory. */
export class BackupReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  async header(): Promise<Header> {
    const line = await this.#line('it is not one of `windrow backup`.');
    if (!line.startsWith(MARK)) throw unusable('it is not one of `windrow backup`.');
    const given = JSON.parse(line.slice(MARK.length)) as { format?: unknown; windrow?: unknown };
    if (given.format !== FORMAT)
      throw unusable(
        `Windrow ${given.windrow} wrote it in another format (${given.format}). Use that version or a later one.`,
      );
    return parsed(Header, given);
  }

  /** The rows of this table, as they go to COPY. */
  async *rows(table: Table): AsyncGenerator<Buffer> {
    if (`${await this.#line(CUT_OFF)}\n` !== copyLine(table))
      throw unusable(`where ${table.name} should begin is something else.`);
    // The end of rows begins with the end of the row before it; where there is none, of the line above.
    this.#rest = Buffer.concat([END_OF_ROWS.subarray(0, 1), this.#rest]);
    let above = 1;
    for (;;) {
      const at = this.#rest.indexOf(END_OF_ROWS);
      const end = at >= 0 ? at + 1 : Math.max(0, this.#rest.length - END_OF_ROWS.length + 1);
      if (end > above) yield this.#rest.subarray(above, end);
      if (end > 0) above = 0;
      this.#rest = this.#rest.subarray(at >= 0 ? at + END_OF_ROWS.length : end);
      if (at >= 0) return;
      if (!(await this.#more())) throw unusable(CUT_OFF);
    }
  }

  async footer(): Promise<Footer> {
    const line = await this.#line(CUT_OFF);
    if (!line.startsWith(END_MARK)) throw unusable(CUT_OFF);
    return parsed(Footer, JSON.parse(line.slice(END_MARK.length)));
  }

  async #line(whyNot: string): Promise<string> {
    for (let from = 0; ; ) {
      const at = this.#rest.indexOf(10, from);
      if (at >= 0) {
        const line = this.#rest.subarray(0, at).toString();
        this.#rest = this.#rest.subarray(at + 1);
        return line;
      }
      from = this.#rest.length;
      if (from > LINE_MAX || !(await this.#more())) throw unusable(whyNot);
    }
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next();
    if (done) return false;
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    return true;
  }
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (!result.success) throw unusable('what it says of itself is not complete.', result.error);
  return result.data;
}
