// An S3-compatible server on loopback that keeps objects in memory and checks every signature strictly, as the specification of Signature Version 4 says:
// header authorization, signed payload, a clock that is not far off. Written without the client's library, so that both cannot be wrong in the same way.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const CLOCK_SKEW_MS = 15 * 60_000;

export interface S3Server extends AsyncDisposable {
  url: string;
  /** `bucket/key` to bytes. */
  objects: Map<string, Buffer>;
  log: string[];
  /** The next requests are answered with this status, so many times. */
  fail(status: number, times: number): void;
}

export interface S3ServerOptions {
  buckets: string[];
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export async function startS3({ buckets, region, accessKeyId, secretAccessKey }: S3ServerOptions): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const log: string[] = [];
  let failures = { status: 500, times: 0 };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = '', url = '' } = request;
    log.push(`${method} ${url}`);
    const refuse = (status: number, code: string, message: string) =>
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`);
    if (failures.times > 0) {
      failures.times -= 1;
      return void refuse(failures.status, 'SlowDown', 'later');
    }
    const problem = signatureProblem(request, body);
    if (problem !== null) return void refuse(403, 'SignatureDoesNotMatch', problem);
    const key = decodeURIComponent(new URL(url, 'http://s3').pathname.slice(1));
    if (!buckets.includes(key.split('/', 1)[0] ?? '')) return void refuse(404, 'NoSuchBucket', 'no such bucket');
    if (method === 'PUT') {
      objects.set(key, body);
      response.writeHead(200, { etag: '"1"' }).end();
    } else if (method === 'DELETE') {
      objects.delete(key);
      response.writeHead(204).end();
    } else if (method === 'GET' && objects.has(key)) response.writeHead(200).end(objects.get(key));
    else refuse(404, 'NoSuchKey', 'no such key');
  }

  function signatureProblem(request: IncomingMessage, body: Buffer): string | null {
    const { headers, method = '', url = '' } = request;
    const parts =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
        headers.authorization ?? '',
      );
    if (!parts) return 'no valid Authorization header';
    const [, keyId, day, inRegion, signedHeaders = '', signature = ''] = parts;
    const stamp = String(headers['x-amz-date']);
    const at = Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
    if (!(Math.abs(Date.now() - at) < CLOCK_SKEW_MS) || !stamp.startsWith(day!)) return 'the clock is wrong';
    if (keyId !== accessKeyId || inRegion !== region) return 'unknown key or region';
    const hash = sha256(body);
    if (headers['x-amz-content-sha256'] !== hash) return 'the payload is not what was signed';
    const names = signedHeaders.split(';');
    for (const needed of ['host', 'x-amz-content-sha256', 'x-amz-date'])
      if (!names.includes(needed)) return `${needed} is not signed`;
    const { pathname, searchParams } = new URL(url, 'http://s3');
    searchParams.sort();
    const canonical = [
      method,
      pathname,
      searchParams.toString(),
      ...names.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
      '',
      signedHeaders,
      hash,
    ].join('\n');
    const toSign = ['AWS4-HMAC-SHA256', stamp, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join('\n');
    const key = [day!, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
    const expected = Buffer.from(hmac(key, toSign).toString('hex'));
    return timingSafeEqual(expected, Buffer.from(signature)) ? null : 'the signature does not match';
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    log,
    fail(status, times) {
      failures = { status, times };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
