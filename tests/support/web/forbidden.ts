// Addresses that nothing may connect to unless an operator allows it, in every spelling that means the same to a URL parser: sections 7 and X1 of the fault
// list. `127.0.0.2` stands for the inner network, since a test can listen there and count who came.
export const INNER = '127.0.0.2';

const RANGES =
  `0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1
192.168.1.1 198.18.0.1 198.51.100.7 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255`.split(/\s+/);

const RANGES_6 =
  `:: ::1 fc00::1 fdff::1 fe80::1 fec0::1 ff02::1 2001:db8::1 100::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 64:ff9b:1::1 4000::1`.split(
    ' ',
  );

const hex = (address: string): string[] => address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));

/** One IPv4 address in all its spellings as the host of a URL. */
export function spellings(address: string): string[] {
  const parts = address.split('.').map(Number);
  const [a, b, c, d] = hex(address);
  const number = parts.reduce((sum, part) => sum * 256 + part, 0);
  const six = `${a}${b}:${c}${d}`;
  return [
    address,
    `${address}.`,
    String(number),
    `0x${number.toString(16)}`,
    parts.map((part) => `0${part.toString(8)}`).join('.'),
    parts.map((part) => `0x${part.toString(16)}`).join('.'),
    `${parts[0]}.${number % 256 ** 3}`,
    address.replaceAll('.', '。'),
    [...address].map((char) => (/\d/.test(char) ? String.fromCodePoint(0xff10 + Number(char)) : char)).join(''),
    [...address].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
    `[::ffff:${address}]`,
    `[::ffff:${six}]`,
    `[::${six}]`,
    `[64:ff9b::${six}]`,
    `[2002:${six}::]`,
    `[0:0:0:0:0:ffff:${six}]`,
  ];
}

/** Hosts, without scheme and port. */
export const FORBIDDEN_HOSTS: readonly string[] = [
  ...new Set([
    ...spellings(INNER),
    ...spellings('169.254.169.254').slice(0, 6),
    ...RANGES,
    ...RANGES_6.map((one) => `[${one}]`),
  ]),
  'localhost',
];

/** URLs; `port` is where the inner server counts. */
export const forbiddenUrls = (port: number): string[] => [
  ...FORBIDDEN_HOSTS.map((host) => `http://${host}:${port}/`),
  `http://${INNER}/`,
  `https://${INNER}:${port}/`,
  `HTTP://${INNER}:${port}`,
  `http://user:pass@${INNER}:${port}/`,
  `http://example.com@${INNER}:${port}/`,
  `http://example.com:80@${INNER}:${port}/#@example.com`,
  `http://${INNER}:${port}\\@example.com/`,
  `http:\\\\${INNER}:${port}\\`,
  `http:/${INNER}:${port}/`,
  ` http://${INNER}:${port}/ `,
  `http://12\t7.0.0.2:${port}/\n`,
  `//${INNER}:${port}/`,
  ...[
    'file:///etc/passwd',
    `gopher://${INNER}:${port}/`,
    `ftp://${INNER}:${port}/`,
    'data:text/html,x',
    'javascript:alert(1)',
  ],
  `blob:http://${INNER}:${port}/1`,
  `ws://${INNER}:${port}/`,
];
