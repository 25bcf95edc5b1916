// Names of files that callers choose. The folder is the server's, and a name cannot leave it (what is written there: alert-file.test.ts).
import { expect, test } from 'vitest';
import { startApiWorld } from '../api/api-world.ts';

const NAMES = [
  '../a.ndjson',
  '..\\a.ndjson',
  '/etc/cron.d/a.csv',
  'C:\\a.csv',
  'a/b.csv',
  './a.csv',
  '.a.csv',
  '..csv',
  'a.csv/../../b.csv',
  '%2e%2e%2fa.csv',
  'a\0.csv',
  'a.csv\n',
  'a b.csv',
  'ä.csv',
  '／etc／a.csv',
  '~/a.csv',
  '$HOME.csv',
  'a.csv.sh',
  'a',
  '',
  `${'a'.repeat(90)}.csv`,
  'file:///etc/a.csv',
];

test('A7: the file of an alert has a plain name, in the folder of the server', async () => {
  const world = await startApiWorld({ isWithWorker: false });
  try {
    const made = await world.call('POST', '/alerts', { name: 'x', search: {}, file: 'a.csv' });
    expect(made.status).toBe(201);
    for (const file of NAMES) {
      expect((await world.call('POST', '/alerts', { name: 'x', search: {}, file })).status, file).toBe(422);
      expect((await world.call('PATCH', `/alerts/${made.body.id}`, { file })).status, file).toBe(422);
    }
  } finally {
    await world.stop();
  }
});
