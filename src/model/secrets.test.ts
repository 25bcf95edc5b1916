import { expect, test } from 'vitest';
import { HIDDEN, hideInText, hideSecrets, keepSecrets, masksIn } from './secrets.ts';

const stored = {
  scraper_type: 'api',
  url: 'https://u:hunter2@jobs.example/v1?api_key=hunter2&page={page}&page_token={cursor}',
  headers: { 'X-Tenant': 'hunter2', accept: 'hunter2' },
  body: { filter: 'open', auth: { client_secret: 'hunter2' }, text: '{"access_token":"hunter2","q":"x"}' },
  fields: { id: 'id', title: 'name' },
};

test('no header, no field with the name of a secret and no credential of a URL is shown', () => {
  const shown = hideSecrets(stored);
  expect(JSON.stringify(shown)).not.toContain('hunter2');
  expect(shown).toEqual({
    scraper_type: 'api',
    url: `https://${HIDDEN}@jobs.example/v1?api_key=${HIDDEN}&page={page}&page_token={cursor}`,
    headers: { 'X-Tenant': HIDDEN, accept: HIDDEN },
    body: { filter: 'open', auth: { client_secret: HIDDEN }, text: `{"access_token":"${HIDDEN}","q":"x"}` },
    fields: { id: 'id', title: 'name' },
  });
  expect(hideInText('GET https://a.example/x?key=hunter2&q=1 failed: 403')).toBe(
    `GET https://a.example/x?key=${HIDDEN}&q=1 failed: 403`,
  );
});

test('a mask that comes back keeps what is stored, beside what has changed', () => {
  const shown = hideSecrets(stored);
  expect(keepSecrets(shown, stored)).toEqual(stored);
  const changed = keepSecrets({ ...shown, headers: { ...shown.headers, accept: 'text/html', more: HIDDEN } }, stored);
  expect(changed.headers).toEqual({ 'X-Tenant': 'hunter2', accept: 'text/html', more: HIDDEN });
  expect(masksIn(changed)).toEqual(['headers.more']);
});

test('a secret is not kept for another host or another scraper', () => {
  const shown = hideSecrets(stored);
  for (const other of [
    { ...shown, url: 'https://elsewhere.example/' },
    { ...shown, scraper_type: 'rss' },
  ]) {
    expect(JSON.stringify(keepSecrets(other, stored))).not.toContain('hunter2');
    expect(masksIn(keepSecrets(other, stored))).toContain('headers.X-Tenant');
  }
});
