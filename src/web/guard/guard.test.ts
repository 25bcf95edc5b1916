import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGuard } from './guard.ts';

const CLOSED =
  `127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1
100.127.255.255 192.0.0.8 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1
255.255.255.255 168.63.129.16 :: ::1 fc00::1 fdff::1 fe80::1 febf::1 fec0::1 ff02::1 2001:db8::1 100::1 ::ffff:127.0.0.1
::ffff:169.254.169.254 ::ffff:7f00:1 ::127.0.0.1 ::a9fe:a9fe 64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 64:ff9b:1:a9fe:a9:fe00::
2002:7f00:1:: 2002:a9fe:a9fe::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001::1 2a00:1450::5efe:10.0.0.1 2a00:1450::200:5efe:a9fe:a9fe
fe80::1%eth0 3fff::1 ::ffff:0:127.0.0.1 5f00::1 4000::1`.split(/\s+/);

const OPEN =
  '1.1.1.1 8.8.8.8 93.184.216.34 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 2606:4700:4700::1111 64:ff9b::8.8.8.8 ::ffff:8.8.8.8'.split(
    ' ',
  );

const SPELLINGS = [
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://127.1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://169。254。169。254/',
  'http://0/',
  'http://127.0.0.1./',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://user:secret@example.com/',
  'http://user@example.com/',
  'http://93.184.216.34:22/',
  'https://93.184.216.34:8443/',
  'ftp://93.184.216.34/',
  'file:///etc/passwd',
  'gopher://93.184.216.34/',
  'data:text/html,hi',
  'javascript:alert(1)',
  'blob:https://example.com/1',
];

test.each(CLOSED)('%s is refused', (address) => {
  expect(createGuard().isOpen(address, 80)).toBe(false);
});

test.each(OPEN)('%s is let through', (address) => {
  expect(createGuard().isOpen(address, 443)).toBe(true);
});

test.each(SPELLINGS)('the address %s is refused with the one generic sentence', (address) => {
  expect(() => createGuard().checkUrl(new URL(address))).toThrow(
    'URL not allowed: it has to be http or https on port 80 or 443 of a public address.',
  );
});

test('what is no address at all is refused', () => {
  for (const text of ['', 'localhost', '1.2.3', '1.2.3.4.5', ':::', '8.8.8.8 ']) {
    expect(createGuard().isOpen(text, 80)).toBe(false);
  }
});

test('no IPv6 address outside 2000::/3 is let through unless it carries a public IPv4 address', () => {
  const guard = createGuard();
  const word = fc.integer({ min: 0, max: 0xffff });
  fc.assert(
    fc.property(fc.array(word, { minLength: 8, maxLength: 8 }), (words) => {
      const first = words[0] ?? 0;
      fc.pre((first & 0xe000) !== 0x2000 && first !== 0 && first !== 0x64);
      // An interface id of the ISATAP form is judged by the IPv4 address in it, so keep clear of it here.
      fc.pre(words[5] !== 0x5efe);
      return !guard.isOpen(words.map((part) => part.toString(16)).join(':'), 443);
    }),
  );
});

test('an operator opens named addresses only, on every port', () => {
  const guard = createGuard({ allow: ['127.0.0.1', '10.1.0.0/16', '::1'] });
  expect(guard.isOpen('127.0.0.1', 9200)).toBe(true);
  expect(guard.isOpen('::ffff:127.0.0.1', 9200)).toBe(true);
  expect(guard.isOpen('10.1.2.3', 5432)).toBe(true);
  expect(guard.isOpen('::1', 80)).toBe(true);
  expect(guard.isOpen('127.0.0.2', 80)).toBe(false);
  expect(guard.isOpen('10.2.0.1', 80)).toBe(false);
});

test('the platform itself stays closed even where the operator opened its address', () => {
  const guard = createGuard({
    allow: ['127.0.0.1'],
    deny: ['127.0.0.1:6379', '93.184.216.0/24', '[2606:4700::1]:443'],
  });
  expect(guard.isOpen('127.0.0.1', 6379)).toBe(false);
  expect(guard.isOpen('127.0.0.1', 6380)).toBe(true);
  expect(guard.isOpen('93.184.216.34', 443)).toBe(false);
  expect(guard.isOpen('2606:4700:0::1', 443)).toBe(false);
});

test('a configured port opens for public addresses only', () => {
  const guard = createGuard({ ports: [8443] });
  expect(guard.isOpen('93.184.216.34', 8443)).toBe(true);
  expect(guard.isOpen('93.184.216.34', 8080)).toBe(false);
  expect(guard.isOpen('10.0.0.1', 8443)).toBe(false);
});

test('an entry that is no address is reported when the guard is built', () => {
  for (const entry of ['localhost', '10.0.0.0/33', '10.0.0.0/x', '']) {
    expect(() => createGuard({ allow: [entry] })).toThrow('not an address or CIDR');
  }
});

test('a name is refused when any one of its addresses is', async () => {
  const answers = (...list: string[]) => createGuard({ resolve: async () => list.map((address) => ({ address })) });
  await expect(answers('93.184.216.34', '10.0.0.1').resolve('two.example', 80)).rejects.toThrow('URL not allowed');
  await expect(answers('93.184.216.34', 'fe80::1').resolve('six.example', 80)).rejects.toThrow('URL not allowed');
  await expect(answers().resolve('none.example', 80)).rejects.toMatchObject({ code: 'dns' });
  await expect(answers('93.184.216.34', '1.1.1.1').resolve('both.example', 443)).resolves.toHaveLength(2);
});

test('a name that does not resolve is a dns error without details of the resolver', async () => {
  const guard = createGuard({ resolve: () => Promise.reject(new Error('servfail from 10.0.0.53')) });
  await expect(guard.resolve('gone.example', 80)).rejects.toMatchObject({
    code: 'dns',
    message: 'could not resolve gone.example',
  });
});
