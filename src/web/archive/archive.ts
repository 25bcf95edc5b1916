// Every exchange as WARC, the format web archives share (off unless asked for). Files rotate by size and the oldest go when the folder is
// full. Bodies are stored decoded, so the header that named their encoding is kept under another name. Of requests only headers that every browser sends are
// written: any other may hold a secret of a company's settings, and an archive is shown to others. Beside the exchanges stands what each task was asked and what it read, so that
// it can be run again from the archive alone (replay.ts).

import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { hideInBody, hideSecrets } from '../../model/secrets.ts';
import type { HttpRequest, HttpResponse } from '../http/http.ts';

export interface ArchiveOptions {
  dir: string;
  /** A file is closed at this size. */
  fileBytes?: number;
  /** The folder as a whole. */
  maxBytes?: number;
  now?: () => Date;
}

/** Whose exchange or note it is. */
export interface ArchiveOwner {
  source?: string;
  runId?: string;
  taskId?: string;
}

/** What is known of an attempt besides its exchanges: at its beginning what it was asked, then the items as they were read. */
export type AttemptNote =
  | {
      asked: {
        attempt: number;
        goesOn: boolean;
        params: Record<string, unknown>;
        /** Names of what configuration gave the source; their values are secrets. */
        settings?: string[];
      };
    }
  | { items: unknown[] };

export interface Archive {
  record(request: HttpRequest, answer: HttpResponse, about?: ArchiveOwner): Promise<{ url: string; id: string }>;
  note(note: AttemptNote, about: ArchiveOwner): Promise<void>;
  close(): Promise<void>;
}

const PLAIN_HEADER =
  /^(?:host|accept|accept-(?:language|encoding|charset)|user-agent|referer|origin|content-(?:type|length)|cache-control|pragma|connection|te|dnt|priority|upgrade-insecure-requests|sec-[\w-]+|if-[\w-]+)$/i;
const DEFAULT_FILE_BYTES = 128 * 1024 * 1024;
const DEFAULT_MAX_BYTES = 4 * 1024 * 1024 * 1024;

export function createArchive(options: ArchiveOptions): Archive {
  const now = options.now ?? (() => new Date());
  const fileBytes = options.fileBytes ?? DEFAULT_FILE_BYTES;
  let file: { handle: FileHandle; bytes: number } | null = null;
  let number = 0;
  // One writer at a time: records of two exchanges must not mix.
  let last: Promise<void> = Promise.resolve();

  const openFile = async (): Promise<{ handle: FileHandle; bytes: number }> => {
    await mkdir(options.dir, { recursive: true });
    await makeRoom(options.dir, (options.maxBytes ?? DEFAULT_MAX_BYTES) - fileBytes);
    number += 1;
    const stamp = now().toISOString().replace(/\D/g, '').slice(0, 14);
    // Workers in containers are all process 1, and may share a folder.
    const name = `windrow-${stamp}-${process.pid}-${number}-${randomUUID().slice(0, 8)}.warc.gz`;
    // Appending: after half a record was cut off, the next one begins where the file ends and not where the half one did.
    return { handle: await open(join(options.dir, name), 'ax'), bytes: 0 };
  };

  const closeFile = async () => {
    const handle = file?.handle;
    file = null;
    await handle?.close();
  };

  const write = async (bytes: Uint8Array) => {
    file ??= await openFile();
    try {
      await file.handle.appendFile(bytes);
    } catch (error) {
      // Half a record would make those after it unreadable.
      await file.handle.truncate(file.bytes);
      throw error;
    }
    file.bytes += bytes.length;
    if (file.bytes >= fileBytes) await closeFile();
  };

  const inTurn = <T>(make: () => Promise<{ bytes: Uint8Array; made: T }>): Promise<T> => {
    const work = last.then(async () => {
      const { bytes, made } = await make();
      await write(bytes);
      return made;
    });
    // The caller gets the error; the next record must still be written.
    last = work.then(
      () => {},
      () => {},
    );
    return work;
  };

  return {
    record(request, answer, about = {}) {
      const date = now().toISOString();
      return inTurn(() => serialise(request, answer, date, about));
    },
    note(note, about) {
      const date = now().toISOString();
      // At once: its items may change hands while it waits for its turn.
      const text = JSON.stringify(
        'asked' in note ? { asked: { ...note.asked, params: hideSecrets(note.asked.params) } } : note,
      );
      return inTurn(async () => ({ bytes: await serialiseNote(text, date, about), made: undefined }));
    },
    async close() {
      await last;
      await closeFile();
    },
  };
}

async function serialise(
  request: HttpRequest,
  answer: HttpResponse,
  date: string,
  about: ArchiveOwner,
): Promise<{ bytes: Uint8Array; made: { url: string; id: string } }> {
  const { WARCRecord, WARCSerializer } = await import('warcio');
  const address = withoutSecrets(request.url);
  const url = address.href;
  const { 'content-encoding': encoding, 'transfer-encoding': _, 'set-cookie': _cookie, ...headers } = answer.headers;
  const warcHeaders = headersOf(about);
  const response = WARCRecord.create(
    {
      url,
      date,
      type: 'response',
      warcVersion: 'WARC/1.1',
      warcHeaders,
      statusline: `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`.trim(),
      httpHeaders: {
        ...headers,
        'content-length': String(answer.body.length),
        ...(encoding === undefined ? {} : { 'x-archive-orig-content-encoding': encoding }),
      },
    },
    once1(answer.body),
  );
  const sent = WARCRecord.create(
    {
      url,
      date,
      type: 'request',
      warcVersion: 'WARC/1.1',
      warcHeaders,
      statusline: `${request.method} ${address.pathname}${address.search} HTTP/1.1`,
      httpHeaders: plainHeaders({ host: request.url.host, ...request.headers }),
    },
    once1(Buffer.from(hideInBody(request.body ?? ''))),
  );
  const parts = [
    await WARCSerializer.serialize(response, { gzip: true }),
    await WARCSerializer.serialize(sent, { gzip: true }),
  ];
  const id = (response.warcHeader('WARC-Record-ID') ?? '').replace(/^<(.*)>$/, '$1');
  return { bytes: Buffer.concat(parts), made: { url, id } };
}

async function serialiseNote(text: string, date: string, about: ArchiveOwner): Promise<Uint8Array> {
  const { WARCRecord, WARCSerializer } = await import('warcio');
  const record = WARCRecord.create(
    {
      url: `urn:windrow:task:${about.taskId ?? 'none'}`,
      date,
      type: 'metadata',
      warcVersion: 'WARC/1.1',
      warcHeaders: { ...headersOf(about), 'Content-Type': 'application/json' },
    },
    once1(Buffer.from(text)),
  );
  return WARCSerializer.serialize(record, { gzip: true });
}

const headersOf = ({ source, runId, taskId }: ArchiveOwner): Record<string, string> => ({
  ...(source === undefined ? {} : { 'Windrow-Source': source }),
  ...(runId === undefined ? {} : { 'Windrow-Run': runId }),
  ...(taskId === undefined ? {} : { 'Windrow-Task': taskId }),
});

async function* once1(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** Keys of paid services travel in addresses too. */
const SECRET_PARAMETER = /^(?:api[-_]?key|key|access[-_]?token|token|secret|client[-_]?secret|password|signature)$/i;

/** Addresses are written so, and looked up so. */
export function withoutSecrets(url: URL): URL {
  const names = [...url.searchParams.keys()].filter((name) => SECRET_PARAMETER.test(name));
  if (names.length === 0) return url;
  const clean = new URL(url);
  for (const name of names) clean.searchParams.set(name, 'hidden');
  return clean;
}

function plainHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => PLAIN_HEADER.test(name)));
}

async function makeRoom(dir: string, maxBytes: number): Promise<void> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.warc.gz')).sort();
  const files = await Promise.all(names.map(async (name) => ({ name, size: (await stat(join(dir, name))).size })));
  let total = files.reduce((sum, { size }) => sum + size, 0);
  for (const { name, size } of files) {
    if (total <= maxBytes) return;
    await rm(join(dir, name), { force: true });
    total -= size;
  }
}
