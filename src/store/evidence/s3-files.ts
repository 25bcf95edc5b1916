// Files of evidence in S3-compatible storage: three requests, signed (Signature Version 4), each with a limit in time.
import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { AppError } from '../../model/errors.ts';
import { PAGE_MAX_BYTES, SCREENSHOT_MAX_BYTES } from '../../model/evidence/evidence.ts';

export type EvidencePart = 'page' | 'screenshot';

export interface EvidenceFiles {
  put(id: string, part: EvidencePart, bytes: Uint8Array): Promise<void>;
  /** Null: it is not there. */
  get(id: string, part: EvidencePart): Promise<Buffer | null>;
  /** What is not there is as good as deleted. */
  remove(id: string, part: EvidencePart): Promise<void>;
}

export interface S3Options {
  bucket: string;
  /** What the names of all objects begin with; may be empty. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Of another server than Amazon's. */
  endpoint?: string;
  limitMs?: number;
}

const LIMIT_MS = 10_000;
/** Besides the first one; with pauses between them. */
const RETRIES = 2;
const FILE_MAX_BYTES = Math.max(PAGE_MAX_BYTES, SCREENSHOT_MAX_BYTES);

export function createS3Files({
  endpoint,
  bucket,
  prefix,
  region,
  limitMs = LIMIT_MS,
  ...keys
}: S3Options): EvidenceFiles {
  const client = new AwsClient({ ...keys, region, service: 's3', retries: RETRIES });
  const root =
    endpoint === undefined
      ? `https://${bucket}.s3.${region}.amazonaws.com`
      : `${endpoint}${endpoint.endsWith('/') ? '' : '/'}${encodeURIComponent(bucket)}`;
  const folder = prefix
    .split('/')
    .filter((name) => name !== '')
    .map((name) => `${encodeURIComponent(name)}/`)
    .join('');
  const urlOf = (id: string, part: EvidencePart): string => `${root}/${folder}${encodeURIComponent(id)}/${part}`;

  async function send(method: string, url: string, body: Uint8Array | null): Promise<Response> {
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    try {
      const response = await client.fetch(url, {
        method,
        ...(body && { body: Uint8Array.from(body) }),
        headers: { 'x-amz-content-sha256': hash, ...(body && { 'content-type': 'application/octet-stream' }) },
        redirect: 'error',
        signal: AbortSignal.timeout(limitMs),
      });
      if (response.ok || response.status === 404) return response;
      throw new Error(`${response.status} ${await reasonOf(response)}`);
    } catch (error) {
      throw new AppError(
        'unavailable',
        `The S3 storage of evidence did not ${VERBS[method]} a file: ${wordsOf(error)}`,
        {
          cause: error,
        },
      );
    }
  }

  return {
    async put(id, part, bytes) {
      const response = await send('PUT', urlOf(id, part), bytes);
      if (response.status === 404)
        throw new AppError(
          'unavailable',
          `The S3 storage of evidence has no bucket ${bucket}: ${await reasonOf(response)}`,
        );
      await response.body?.cancel();
    },
    async get(id, part) {
      const response = await send('GET', urlOf(id, part), null);
      if (response.status !== 404) return bounded(response);
      await response.body?.cancel();
      return null;
    },
    async remove(id, part) {
      const response = await send('DELETE', urlOf(id, part), null);
      await response.body?.cancel();
    },
  };
}

const VERBS: Record<string, string> = { PUT: 'store', GET: 'return', DELETE: 'delete' };

/** `AccessDenied: …`, from the XML of an error. */
async function reasonOf(response: Response): Promise<string> {
  const text = (await bounded(response)).toString('utf8').slice(0, 2_000);
  const part = (name: string): string => text.split(`<${name}>`, 2)[1]?.split('<', 1)[0] ?? '';
  return [part('Code'), part('Message')].filter((one) => one !== '').join(': ') || response.statusText;
}

const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message;
};

async function bounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > FILE_MAX_BYTES) throw new Error('the answer is larger than any file that was stored');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
