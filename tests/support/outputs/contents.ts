// Everything that a database holds, as text: for tests that look for what must not be there.
import pg from 'pg';

export async function onDatabase<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=windrow,public' });
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

/** Table → its rows. */
export const databaseContents = (url: string): Promise<Map<string, string>> =>
  onDatabase(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'windrow' and table_type = 'BASE TABLE'`,
    );
    const contents = new Map<string, string>();
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from windrow.${name} t`);
      contents.set(name, rows.map(({ row }) => row).join('\n'));
    }
    return contents;
  });
