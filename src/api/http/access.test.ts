import { expect, test } from 'vitest';
import { createAccess, isLoopback, requireKeys } from './access.ts';

const NOBODY = { keyId: null, isDeliberate: false };

test('without keys everyone on loopback is let in', () => {
  const access = createAccess([]);
  expect(access.callerOf({})).toEqual(NOBODY);
});

test.each([
  [{ authorization: 'Bearer secret-key-1' }],
  [{ authorization: 'bearer secret-key-1' }],
  [{ 'x-api-key': 'secret-key-1' }],
  [{ authorization: `Basic ${Buffer.from('anyone:secret-key-1').toString('base64')}` }],
])('a key is taken from %j', (headers) => {
  expect(createAccess(['other-key', 'secret-key-1']).callerOf(headers).keyId).toMatch(/^[0-9a-f]{12}$/);
});

test.each([
  [{}],
  [{ authorization: 'Bearer wrong' }],
  [{ authorization: 'Bearer ' }],
  [{ authorization: 'secret-key-1' }],
  [{ 'x-api-key': '' }],
  [{ authorization: 'Basic !!!' }],
])('%j is not enough', (headers) => {
  expect(() => createAccess(['secret-key-1']).callerOf(headers)).toThrow(
    expect.objectContaining({ code: 'unauthorized' }),
  );
});

test.each(['localhost:8000', '127.0.0.1', '[::1]:80', 'app.localhost:3000', 'LOCALHOST'])('host %s is ours', (host) => {
  expect(() => createAccess([]).refuseForeign('GET', { host }, NOBODY)).not.toThrow();
});

test.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:8000', '10.0.0.1', ''])(
  'host %s, made to resolve to us, is refused while there are no keys',
  (host) => {
    expect(() => createAccess([]).refuseForeign('GET', { host }, NOBODY)).toThrow(
      expect.objectContaining({ code: 'forbidden_origin' }),
    );
  },
);

test('with keys any host is fine: a proxy may stand in front', () => {
  expect(() => createAccess(['k']).refuseForeign('GET', { host: 'api.example' }, NOBODY)).not.toThrow();
});

test('another site may neither change nor ask for anything', () => {
  const access = createAccess([]);
  const foreign = { host: 'localhost:8000', origin: 'https://evil.example' };
  const refused = expect.objectContaining({ code: 'forbidden_origin' });
  for (const origin of [
    'https://evil.example',
    'null',
    '',
    'http://localhost:3000',
    'http://localhost:8000.evil.example',
  ])
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'])
      expect(() => access.refuseForeign(method, { ...foreign, origin }, NOBODY), `${method} ${origin}`).toThrow(
        refused,
      );
  expect(() => access.refuseForeign('GET', { ...foreign, upgrade: 'websocket' }, NOBODY)).toThrow(refused);
  expect(() => access.refuseForeign('POST', { ...foreign, origin: 'http://localhost:8000' }, NOBODY)).not.toThrow();
});

test('what the browser says of where a request comes from counts, also without an Origin', () => {
  const access = createAccess([]);
  const ask = (site: string, mode: string, dest: string, method = 'GET') =>
    access.refuseForeign(
      method,
      { host: 'localhost:8000', 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest },
      NOBODY,
    );
  for (const site of ['cross-site', 'same-site']) {
    for (const dest of ['image', 'script', 'style', 'object', 'empty'])
      expect(() => ask(site, 'no-cors', dest), `${site} ${dest}`).toThrow();
    expect(() => ask(site, 'navigate', 'iframe')).toThrow();
    expect(() => ask(site, 'navigate', 'document', 'POST')).toThrow();
    expect(() => ask(site, 'navigate', 'document')).not.toThrow();
  }
  for (const site of ['same-origin', 'none']) expect(() => ask(site, 'cors', 'empty')).not.toThrow();
});

test.each(['?api_key=', '?apikey=', '?key=', '?a=1&token=', '?access_token=', '?Authorization=', '?api-key='])(
  'a key in the URL is refused with the right way to send it, even beside a valid one: %s',
  (query) => {
    const access = createAccess(['secret-key-1']);
    for (const headers of [{}, { 'x-api-key': 'secret-key-1' }])
      expect(() => access.callerOf(headers, `/jobs/${query}secret-key-1`)).toThrow(
        /not allowed in a URL.*Authorization/,
      );
    expect(() => createAccess([]).callerOf({}, `/jobs/${query}x`)).not.toThrow();
  },
);

test('a key in a header proves that no page of another site sent it; one that the browser adds by itself does not', () => {
  const access = createAccess(['secret-key-1']);
  const foreign = { host: 'api.example', origin: 'https://evil.example' };
  const bearer = access.callerOf({ authorization: 'Bearer secret-key-1' });
  const basic = access.callerOf({ authorization: `Basic ${Buffer.from('x:secret-key-1').toString('base64')}` });
  expect(() => access.refuseForeign('POST', foreign, bearer)).not.toThrow();
  expect(() => access.refuseForeign('POST', foreign, basic)).toThrow();
});

test('listening beyond loopback without keys is refused with what to do', () => {
  expect(() => requireKeys('0.0.0.0', [])).toThrow(/API_KEYS/);
  expect(() => requireKeys('::', [])).toThrow(expect.objectContaining({ code: 'keys_required' }));
  expect(() => requireKeys('0.0.0.0', ['k'])).not.toThrow();
  for (const host of ['127.0.0.1', 'localhost', '::1', '127.9.9.9']) expect(isLoopback(host)).toBe(true);
});
