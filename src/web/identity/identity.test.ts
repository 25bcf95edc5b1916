import { expect, test } from 'vitest';
import { acceptLanguage, browserHeaders, contradicts, pickProfile } from './identity.ts';
import profiles from './profiles.json' with { type: 'json' };

test.each(profiles)('headers made for $tls fit it', async (profile) => {
  const { secure, plain } = await browserHeaders(profile, 'en-US');
  expect(contradicts(profile, secure)).toBeNull();
  expect(contradicts(profile, plain)).toBeNull();
});

test('over plain http a browser gives no client hints and offers no brotli', async () => {
  const { plain, secure } = await browserHeaders(
    pickProfile(() => 0),
    'de-DE',
  );
  expect(Object.keys(plain).filter((name) => name.startsWith('sec-'))).toEqual([]);
  expect(plain['accept-encoding']).toBe('gzip, deflate');
  expect(secure['accept-language']).toBe('de-DE,de;q=0.9,en;q=0.8');
});

test('contradictions are named', async () => {
  const profile = pickProfile(() => 0);
  const { secure } = await browserHeaders(profile, 'en-US');
  expect(contradicts({ ...profile, version: 99 }, secure)).toBe('user agent of another version');
  expect(contradicts(profile, { ...secure, 'sec-ch-ua-platform': '"Linux"' })).toBe('client hints of another system');
  expect(contradicts(profile, { ...secure, 'sec-ch-ua': '"Chromium";v="1"' })).toBe('client hints of another browser');
});

test('no profile is an alias without a version', () => {
  for (const { tls, version } of profiles) expect(tls).toMatch(new RegExp(`${version}$`));
});

test('languages are written as browsers write them', () => {
  expect(acceptLanguage('en-US')).toBe('en-US,en;q=0.9');
  expect(acceptLanguage('fr')).toBe('fr,en;q=0.8');
});
