// Reads a TLS ClientHello: what a client shows of itself before it has said a word.

export interface ClientHello {
  serverName: string;
  alpn: string[];
  ciphers: number[];
  extensions: number[];
  /** Reserved values that browsers sprinkle in and Node does not (RFC 8701). */
  hasGrease: boolean;
}

export function parseClientHello(bytes: Buffer): ClientHello {
  let at = 5 + 4 + 2 + 32;
  at += 1 + (bytes[at] ?? 0);
  const cipherBytes = bytes.readUInt16BE(at);
  const ciphers = words(bytes.subarray(at + 2, at + 2 + cipherBytes));
  at += 2 + cipherBytes;
  at += 1 + (bytes[at] ?? 0);
  const end = at + 2 + bytes.readUInt16BE(at);
  at += 2;
  const extensions: number[] = [];
  let serverName = '';
  let alpn: string[] = [];
  while (at + 4 <= end) {
    const type = bytes.readUInt16BE(at);
    const data = bytes.subarray(at + 4, at + 4 + bytes.readUInt16BE(at + 2));
    extensions.push(type);
    if (type === 0) serverName = data.toString('ascii', 5);
    if (type === 16) alpn = protocols(data.subarray(2));
    at += 4 + data.length;
  }
  return { serverName, alpn, ciphers, extensions, hasGrease: [...ciphers, ...extensions].some(isGrease) };
}

function isGrease(value: number): boolean {
  return (value & 0x0f0f) === 0x0a0a && value >> 8 === (value & 0xff);
}

function words(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readUInt16BE(i * 2));
}

function protocols(data: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at < data.length; at += 1 + (data[at] ?? 0))
    names.push(data.toString('ascii', at + 1, at + 1 + (data[at] ?? 0)));
  return names;
}
