// Evidence of failures: the pages that failed attempts saw, and pictures of them.
// What a reader would get wrong: a saved page is a foreign, hostile document on our own origin. It is sent as plain text, or as a document in a sandbox that runs
// nothing, loads nothing and sends nothing; and an address of it is no use to a page of another origin.
import { promisify } from 'node:util';
import { gunzip as gunzipWithCallback } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { PAGE_MAX_TEXT_BYTES } from '../../model/evidence/evidence.ts';
import { maySee } from '../../model/key/key.ts';
import { within } from '../../observe/cached.ts';
import type { Evidence } from '../../store/evidence/evidence.ts';
import type { EvidenceStore } from '../../store/evidence/evidence-store.ts';
import type { EvidencePart } from '../../store/evidence/s3-files.ts';
import type { Needs } from '../deps.ts';
import { json, type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import { EVIDENCE_EXAMPLE, EvidenceView, evidenceView } from './schemas.ts';

const gunzip = promisify(gunzipWithCallback);
const LIST = 'evidence';
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LIMIT_MS = 10_000;
/** S3 has its own limit, and tries again. */
const FILE_LIMIT_MS = 40_000;

/** No scripts, no forms, no navigation of what is around it, an origin of its own; and nothing is loaded from anywhere. */
const SANDBOX = [
  'sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

const IdParams = z.object({ id: z.string() });

type EvidenceDeps = Needs<EvidenceStore, 'evidenceFiles'>;

export const evidence = (deps: EvidenceDeps): Route[] => [list(deps), get(deps), page(deps), screenshot(deps)];

function list({ store }: EvidenceDeps): Route {
  return route({
    method: 'GET',
    path: '/evidence',
    operationId: 'listEvidence',
    scope: 'read',
    tag: 'Dead letters',
    summary: 'List saved pages of failed attempts, newest first',
    query: z.strictObject({
      source: z
        .string()
        .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)
        .optional(),
      code: z
        .string()
        .regex(/^[a-z0-9_]{1,64}$/)
        .optional()
        .meta({ description: 'Code of the error; `suspect` for results that look wrong.' }),
      run_id: z
        .string()
        .regex(/^[\w-]{1,80}$/)
        .optional(),
      task_id: z.string().regex(ID).optional(),
      limit: z.int().min(1).max(1_000).default(50),
      cursor: z.string().max(200).optional(),
    }),
    replies: {
      200: json(
        'A page of evidence.',
        z.object({ evidence: z.array(EvidenceView), next_cursor: z.string().nullable() }),
        { evidence: [EVIDENCE_EXAMPLE], next_cursor: null },
      ),
    },
    problems: ['invalid_params'],
    async handle(request) {
      const { limit, cursor, source, code, run_id: runId, task_id: taskId } = request.query;
      const before = decodeCursor(LIST, cursor, /^\d{1,18}$/);
      const wanted = {
        source: source ?? null,
        code: code ?? null,
        runId: runId ?? null,
        taskId: taskId ?? null,
        owner: request.sees,
        limit: limit + 1,
        before,
      };
      const found = await within(store.listEvidence(wanted), LIMIT_MS, 'The database');
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1) : undefined;
      return { evidence: shown.map(evidenceView), next_cursor: last ? encodeCursor(LIST, last.seq) : null };
    },
  });
}

function get(deps: EvidenceDeps): Route {
  return route({
    method: 'GET',
    path: '/evidence/:id',
    operationId: 'getEvidence',
    scope: 'read',
    tag: 'Dead letters',
    summary: 'Get what is known of a saved page',
    params: IdParams,
    replies: { 200: json('What is known of it.', EvidenceView, EVIDENCE_EXAMPLE) },
    problems: ['unknown_id'],
    handle: async (request) => evidenceView(await find(deps, request.params.id, request.sees)),
  });
}

function page(deps: EvidenceDeps): Route {
  return route({
    method: 'GET',
    path: '/evidence/:id/page',
    operationId: 'getEvidencePage',
    scope: 'read',
    tag: 'Dead letters',
    summary: 'Get the page that an attempt saw',
    description:
      'As plain text. `as=document` sends HTML as a document in a sandbox (`Content-Security-Policy: sandbox`): scripts do not run, nothing is loaded, no form is sent.',
    params: IdParams,
    query: z.strictObject({ as: z.enum(['text', 'document']).default('text') }),
    replies: {
      200: {
        description: 'The page.',
        examples: { 'text/plain': '<!doctype html><title>Are you a robot?</title>' },
      },
    },
    problems: ['unknown_id', 'unreadable', 'invalid_params'],
    async handle(request, reply) {
      const one = await find(deps, request.params.id, request.sees);
      const bytes = await fileOf(deps, one, 'page');
      const text = await gunzip(bytes, { maxOutputLength: PAGE_MAX_TEXT_BYTES }).catch((cause) => {
        throw new AppError('unreadable', 'The saved page cannot be unpacked.', { cause });
      });
      const isDocument =
        request.query.as === 'document' && /^(?:text\/html|application\/xhtml\+xml)$/.test(one.mediaType);
      protect(reply)
        .header('content-disposition', `inline; filename="${one.id}.${isDocument ? 'html' : 'txt'}"`)
        .type(`text/${isDocument ? 'html' : 'plain'}; charset=utf-8`);
      return reply.send(text);
    },
  });
}

function screenshot(deps: EvidenceDeps): Route {
  return route({
    method: 'GET',
    path: '/evidence/:id/screenshot',
    operationId: 'getEvidenceScreenshot',
    scope: 'read',
    tag: 'Dead letters',
    summary: 'Get a picture of the page that an attempt saw in a browser',
    description: 'PNG, or JPEG where that would be too large.',
    params: IdParams,
    replies: { 200: { description: 'The picture.', examples: { 'image/png': '' } } },
    problems: ['unknown_id'],
    async handle(request, reply) {
      const one = await find(deps, request.params.id, request.sees);
      const bytes = await fileOf(deps, one, 'screenshot');
      const extension = one.screenshotType === 'image/jpeg' ? 'jpg' : 'png';
      protect(reply)
        .header('content-disposition', `inline; filename="${one.id}.${extension}"`)
        .type(one.screenshotType ?? 'application/octet-stream');
      return reply.send(bytes);
    },
  });
}

const protect = (reply: FastifyReply): FastifyReply =>
  reply.headers({
    'content-security-policy': SANDBOX,
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-dns-prefetch-control': 'off',
  });

async function find({ store }: EvidenceDeps, id: string, sees: string | null): Promise<Evidence> {
  const found = ID.test(id) ? await within(store.getEvidence(id), LIMIT_MS, 'The database') : null;
  if (!found || !maySee(sees, found)) throw new AppError('unknown_id', `There is no evidence ${id.slice(0, 60)}.`);
  return found;
}

async function fileOf({ store, evidenceFiles }: EvidenceDeps, one: Evidence, part: EvidencePart): Promise<Buffer> {
  const isKept = (part === 'page' ? one.pageBytes : one.screenshotBytes) !== null;
  if (!isKept) throw new AppError('unknown_id', `There is no ${part} of evidence ${one.id}.`);
  if (one.place === 's3' && !evidenceFiles)
    throw new AppError('unavailable', 'It is in S3 storage, and EVIDENCE_STORE of this server is not set to that.');
  const bytes =
    one.place === 's3'
      ? await within(evidenceFiles!.get(one.id, part), FILE_LIMIT_MS, 'The S3 storage')
      : await within(store.evidenceFile(one.id, part), LIMIT_MS, 'The database');
  if (!bytes) throw new AppError('unknown_id', `The ${part} of evidence ${one.id} was deleted.`);
  return bytes;
}
