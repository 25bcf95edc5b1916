import { expect, test } from 'vitest';
import { startS3 } from '../../../tests/support/web/s3-server.ts';
import { createS3Files } from './s3-files.ts';

const KEYS = {
  accessKeyId: 'AKIAEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'eu-north-1',
};
const ID = '019a1b2c-3d4e-7000-8a1b-2c3d4e5f6099';
const start = () => startS3({ buckets: ['evidence'], ...KEYS });

test('files are put, read and deleted with signed requests', async () => {
  await using s3 = await start();
  const files = createS3Files({ ...KEYS, endpoint: `${s3.url}/`, bucket: 'evidence', prefix: 'windrow/prod 1/' });
  const bytes = Buffer.from(Array.from({ length: 300 }, (_, n) => n % 256));
  expect(await files.get(ID, 'page')).toBeNull();
  await files.put(ID, 'page', bytes);
  expect([...s3.objects.keys()]).toEqual([`evidence/windrow/prod 1/${ID}/page`]);
  expect(await files.get(ID, 'page')).toEqual(bytes);
  await files.remove(ID, 'page');
  await files.remove(ID, 'page');
  expect(s3.objects.size).toBe(0);
});

test('what the server says against it is the message', async () => {
  const s3 = await start();
  const wrong = createS3Files({
    ...KEYS,
    secretAccessKey: 'another-secret',
    endpoint: s3.url,
    bucket: 'evidence',
    prefix: '',
  });
  await expect(wrong.put(ID, 'page', Buffer.from('x'))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('403 SignatureDoesNotMatch: the signature does not match'),
  });
  const nowhere = createS3Files({ ...KEYS, endpoint: s3.url, bucket: 'other', prefix: '' });
  await expect(nowhere.put(ID, 'page', Buffer.from('x'))).rejects.toMatchObject({
    message: expect.stringContaining('has no bucket other: NoSuchBucket'),
  });
  const away = createS3Files({ ...KEYS, endpoint: s3.url, bucket: 'evidence', prefix: '' });
  await s3[Symbol.asyncDispose]();
  await expect(away.get(ID, 'page')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('ECONNREFUSED'),
  });
});

test('a server that is busy is asked again, and one that does not answer is given up', async () => {
  await using s3 = await start();
  const files = createS3Files({ ...KEYS, endpoint: s3.url, bucket: 'evidence', prefix: '', limitMs: 5_000 });
  s3.fail(503, 2);
  await files.put(ID, 'screenshot', Buffer.from('x'));
  expect(s3.log).toHaveLength(3);
  s3.fail(503, 20);
  await expect(files.get(ID, 'screenshot')).rejects.toMatchObject({
    message: expect.stringContaining('503 SlowDown: later'),
  });
  const hasty = createS3Files({ ...KEYS, endpoint: s3.url, bucket: 'evidence', prefix: '', limitMs: 1 });
  await expect(hasty.get(ID, 'screenshot')).rejects.toMatchObject({ code: 'unavailable' });
});

test('a file that is larger than any that was stored is not read to its end', async () => {
  await using s3 = await start();
  const files = createS3Files({ ...KEYS, endpoint: s3.url, bucket: 'evidence', prefix: '' });
  await files.put(ID, 'page', Buffer.alloc(10));
  s3.objects.set(`evidence/${ID}/page`, Buffer.alloc(2_000_000));
  await expect(files.get(ID, 'page')).rejects.toThrow('larger than any file');
});
