import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import { newKey } from '../../model/key/key.ts';
import type { KnownKey } from '../../store/keys/keys.ts';
import { type Access, ANYONE, type Caller, createAccess, isLoopback, requireKeys } from './access.ts';

const withKeys = (...apiKeys: string[]): Access => createAccess({ apiKeys });
/** Of a key that is known already. */
const callerOf = (access: Access, headers: IncomingHttpHeaders): Caller => access.callerOf(headers) as Caller;

test('without keys everyone on loopback is let in', () => {
  const access = withKeys();
  expect(access.callerOf({})).toEqual(ANYONE);
});

test.each([
  [{ authorization: 'Bearer secret-key-1' }],
  [{ authorization: 'bearer secret-key-1' }],
  [{ 'x-api-key': 'secret-key-1' }],
  [{ authorization: `Basic ${Buffer.from('anyone:secret-key-1').toString('base64')}` }],
])('a key is taken from %j', (headers) => {
  expect(callerOf(withKeys('other-key', 'secret-key-1'), headers).keyId).toMatch(/^[0-9a-f]{12}$/);
});

test.each([
  [{}],
  [{ authorization: 'Bearer wrong' }],
  [{ authorization: 'Bearer ' }],
  [{ authorization: 'secret-key-1' }],
  [{ 'x-api-key': '' }],
  [{ authorization: 'Basic !!!' }],
])('%j is not enough', (headers) => {
  expect(() => withKeys('secret-key-1').callerOf(headers)).toThrow(expect.objectContaining({ code: 'unauthorized' }));
});

test.each(['localhost:8000', '127.0.0.1', '[::1]:80', 'app.localhost:3000', 'LOCALHOST'])('host %s is ours', (host) => {
  expect(() => withKeys().refuseForeign('GET', { host }, ANYONE)).not.toThrow();
});

test.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:8000', '10.0.0.1', ''])(
  'host %s, made to resolve to us, is refused while there are no keys',
  (host) => {
    expect(() => withKeys().refuseForeign('GET', { host }, ANYONE)).toThrow(
      expect.objectContaining({ code: 'forbidden_origin' }),
    );
  },
);

test('with keys any host is fine: a proxy may stand in front', () => {
  expect(() => withKeys('k').refuseForeign('GET', { host: 'api.example' }, ANYONE)).not.toThrow();
});

test('another site may neither change nor ask for anything', () => {
  const access = withKeys();
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
      expect(() => access.refuseForeign(method, { ...foreign, origin }, ANYONE), `${method} ${origin}`).toThrow(
        refused,
      );
  expect(() => access.refuseForeign('GET', { ...foreign, upgrade: 'websocket' }, ANYONE)).toThrow(refused);
  expect(() => access.refuseForeign('POST', { ...foreign, origin: 'http://localhost:8000' }, ANYONE)).not.toThrow();
});

test('what the browser says of where a request comes from counts, also without an Origin', () => {
  const access = withKeys();
  const ask = (site: string, mode: string, dest: string, method = 'GET') =>
    access.refuseForeign(
      method,
      { host: 'localhost:8000', 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest },
      ANYONE,
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
    const access = withKeys('secret-key-1');
    for (const headers of [{}, { 'x-api-key': 'secret-key-1' }])
      expect(() => access.callerOf(headers, `/jobs/${query}secret-key-1`)).toThrow(
        /not allowed in a URL.*Authorization/,
      );
    expect(() => withKeys().callerOf({}, `/jobs/${query}x`)).not.toThrow();
  },
);

test('a key in a header proves that no page of another site sent it; one that the browser adds by itself does not', () => {
  const access = withKeys('secret-key-1');
  const foreign = { host: 'api.example', origin: 'https://evil.example' };
  const bearer = callerOf(access, { authorization: 'Bearer secret-key-1' });
  const basic = callerOf(access, { authorization: `Basic ${Buffer.from('x:secret-key-1').toString('base64')}` });
  expect(() => access.refuseForeign('POST', foreign, bearer)).not.toThrow();
  expect(() => access.refuseForeign('POST', foreign, basic)).toThrow();
});

test('listening beyond loopback without keys is refused with what to do', () => {
  expect(() => requireKeys('0.0.0.0', false)).toThrow(/API_KEYS/);
  expect(() => requireKeys('::', false)).toThrow(expect.objectContaining({ code: 'keys_required' }));
  expect(() => requireKeys('0.0.0.0', true)).not.toThrow();
  for (const host of ['127.0.0.1', 'localhost', '::1', '127.9.9.9']) expect(isLoopback(host)).toBe(true);
});

describe('keys of the store', () => {
  const made = newKey();
  const stored = (more: Partial<KnownKey> = {}): KnownKey => ({
    id: made.id,
    hash: made.hash.toString('hex'),
    prefix: made.prefix,
    name: 'ci',
    owner: 'team-a',
    scope: 'submit',
    requestsPerMinute: 5,
    maxOpenTasks: null,
    maxTasksPerDay: null,
    replaces: null,
    createdAt: new Date(0),
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...more,
  });

  /** What is known, and what is read when a key is not among it. */
  function over(known: KnownKey[], { later = [] as KnownKey[] | Error, hasKeys = true as boolean | null } = {}) {
    const used: string[] = [];
    const keys = [...known];
    const ring = {
      find: (hash: string) => keys.find((key) => key.hash === hash),
      findById: (id: string) => keys.find((key) => key.id === id),
      hasKeys,
      async readAgain() {
        if (later instanceof Error) throw later;
        keys.push(...later);
      },
      isLimited: () => false,
      noteUse: ({ id }: KnownKey) => void used.push(id),
    };
    return { access: createAccess({ apiKeys: [], ring, now: () => 1_000 }), used };
  }
  const headers = { 'x-api-key': made.key };

  test('a key says whose it is and what it may do, and its use is noted', () => {
    const { access, used } = over([stored()]);
    const caller = {
      keyId: made.id,
      owner: 'team-a',
      scope: 'submit',
      requestsPerMinute: 5,
      isLimited: false,
      isDeliberate: true,
    };
    expect(access.callerOf(headers)).toEqual(caller);
    expect(access.callerById(made.id)).toEqual(caller);
    expect(used).toEqual([made.id, made.id]);
  });

  test.each([
    [{ revokedAt: new Date(500) }, /was revoked/],
    [{ expiresAt: new Date(1_000) }, /has expired/],
  ])('a key with %j is refused', (more, why) => {
    const { access, used } = over([stored(more)]);
    expect(() => access.callerOf(headers)).toThrow(why);
    expect(() => access.callerById(made.id)).toThrow(expect.objectContaining({ code: 'unauthorized' }));
    expect(used).toEqual([]);
  });

  test('a key that is not known is looked for once more before it is refused', async () => {
    expect(await over([], { later: [stored()] }).access.callerOf(headers)).toMatchObject({ keyId: made.id });
    await expect(over([]).access.callerOf(headers)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('while keys cannot be read the known ones work, others are not refused for good, and nobody is let in without one', async () => {
    const later = new Error('away');
    expect(over([stored()], { later }).access.callerOf(headers)).toMatchObject({ keyId: made.id });
    await expect(over([], { later }).access.callerOf(headers)).rejects.toMatchObject({ code: 'unavailable' });
    expect(() => over([], { later, hasKeys: null }).access.callerOf({})).toThrow(
      expect.objectContaining({ code: 'unavailable' }),
    );
  });

  test('keys are needed as soon as there is one, and always beyond loopback', () => {
    expect(over([], { hasKeys: false }).access.callerOf({})).toEqual(ANYONE);
    expect(() => over([stored()]).access.callerOf({})).toThrow(expect.objectContaining({ code: 'unauthorized' }));
    const beyond = createAccess({ apiKeys: [], host: () => '0.0.0.0' });
    expect(() => beyond.callerOf({})).toThrow(expect.objectContaining({ code: 'unauthorized' }));
  });
});
