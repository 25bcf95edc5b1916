// Has PostgreSQL parse and plan the shape of a statement without running it: the columns it would answer with, or what is wrong with it.
import type pg from 'pg';

export interface Column {
  name: string;
  /** The number of its type. */
  type: number;
}

/** The messages of the extended protocol that `pg` sends for us elsewhere. */
interface Wire {
  parse(query: { text: string; name: string; types: number[] }): void;
  describe(what: { type: 'S'; name: string }): void;
  sync(): void;
}

export function describeStatement(client: pg.Client, text: string): Promise<Column[]> {
  return new Promise((resolve, reject) => {
    let columns: Column[] = [];
    const submitted = {
      submit(wire: Wire) {
        wire.parse({ text, name: '', types: [] });
        wire.describe({ type: 'S', name: '' });
        wire.sync();
      },
      handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }) {
        columns = fields.map((field) => ({ name: field.name, type: field.dataTypeID }));
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(columns),
    };
    client.query(submitted as unknown as pg.Submittable);
  });
}
