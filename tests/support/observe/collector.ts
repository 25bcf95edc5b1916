// A collector of traces: takes OTLP over HTTP (protobuf) on loopback and keeps the spans. The format is read by hand, so that what was sent is judged by its
// bytes and not by the library that wrote them.
import { gunzipSync } from 'node:zlib';
import { serve } from '../web/servers.ts';

export interface SeenSpan {
  service: string;
  instance: string;
  traceId: string;
  spanId: string;
  parentId: string | null;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  startMs: number;
  endMs: number;
  attributes: Record<string, string | number | boolean>;
  links: { traceId: string; spanId: string }[];
  isError: boolean;
}

export interface Collector {
  readonly url: string;
  readonly spans: SeenSpan[];
  /** Status that it answers with. */
  status: number;
  requests: number;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const site = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      collector.requests++;
      const body = Buffer.concat(chunks);
      if (request.url === '/v1/traces' && collector.status === 200)
        collector.spans.push(...readSpans(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body));
      response.writeHead(request.url === '/v1/traces' ? collector.status : 404).end();
    });
  });
  const collector = {
    url: site.origin,
    spans: [] as SeenSpan[],
    status: 200,
    requests: 0,
    close: async () => site[Symbol.asyncDispose](),
  };
  return collector;
}

type Field = { number: number; value: bigint | Buffer };

function fields(message: Buffer): Field[] {
  const found: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    if ((tag & 7) === 0) found.push({ number, value: varint() });
    else {
      const size = (tag & 7) === 1 ? 8 : (tag & 7) === 5 ? 4 : Number(varint());
      found.push({ number, value: message.subarray(at, at + size) });
      at += size;
    }
  }
  return found;
}

const inside = (message: Buffer, number: number): Buffer[] =>
  fields(message).flatMap((one) => (one.number === number ? [one.value as Buffer] : []));
const text = (message: Buffer, number: number): string => inside(message, number)[0]?.toString('utf8') ?? '';
const hex = (message: Buffer, number: number): string => inside(message, number)[0]?.toString('hex') ?? '';
const whole = (message: Buffer, number: number): number =>
  Number(fields(message).find((one) => one.number === number)?.value ?? 0);
const milliseconds = (message: Buffer, number: number): number =>
  Number(inside(message, number)[0]?.readBigUInt64LE() ?? 0n) / 1e6;

const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const ERROR = 2;

function attributesOf(messages: Buffer[]): SeenSpan['attributes'] {
  const pairs = messages.map((message) => {
    const value = fields(inside(message, 2)[0]!)[0]!;
    const read =
      value.number === 1 ? String(value.value) : value.number === 2 ? value.value === 1n : Number(value.value);
    return [text(message, 1), value.number === 4 ? (value.value as Buffer).readDoubleLE() : read] as const;
  });
  return Object.fromEntries(pairs);
}

function readSpans(body: Buffer): SeenSpan[] {
  return inside(body, 1).flatMap((ofResource) => {
    const resource = attributesOf(inside(inside(ofResource, 1)[0]!, 1));
    const spans = inside(ofResource, 2).flatMap((ofScope) => inside(ofScope, 2));
    return spans.map((span) => ({
      service: String(resource['service.name']),
      instance: String(resource['service.instance.id']),
      traceId: hex(span, 1),
      spanId: hex(span, 2),
      parentId: hex(span, 4) || null,
      name: text(span, 5),
      kind: KINDS[whole(span, 6)]!,
      startMs: milliseconds(span, 7),
      endMs: milliseconds(span, 8),
      attributes: attributesOf(inside(span, 9)),
      links: inside(span, 13).map((link) => ({ traceId: hex(link, 1), spanId: hex(link, 2) })),
      isError: inside(span, 15).some((status) => whole(status, 3) === ERROR),
    }));
  });
}
