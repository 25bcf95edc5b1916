// What an attempt saw last, and the secrets it went out with: from these a worker makes the evidence of a failure (worker/evidence.ts). While an attempt runs it
// costs a few references; nothing is copied, compressed or photographed before something went wrong.
import { credentialsIn, secretValues } from '../model/evidence/page-secrets.ts';
import { isSecretName } from '../model/secrets.ts';
import type { AttemptNote } from './archive/archive.ts';
import { DIRECT } from './identity/proxy.ts';
import type { Session } from './identity/session.ts';
import type { Web, WebRequest, WebResponse } from './port.ts';

/** A picture of the page, if the browser still shows it. */
export type TakePicture = () => Promise<Uint8Array | null>;

export interface SeenPage {
  url: string;
  status: number;
  /** Of the answer, without its parameters; empty if it had none. */
  mediaType: string;
  text: string;
  at: Date;
  /** Null: it was not in a browser. */
  picture: TakePicture | null;
}

/** What is asked of it at the end of an attempt. */
export interface Seen {
  /** The page to blame for an error of this code: the last one refused with it, or else the last answer. Null: that was no page. */
  page(code: string | null): SeenPage | null;
  /** Values that may not be in anything that is kept of a page. */
  secrets(): string[];
}

export interface AttemptWeb extends Web {
  readonly seen: Seen;
  /** Writes it beside the pages of the attempt; null without an archive. */
  readonly note: ((note: AttemptNote) => void) | null;
}

export interface Sights extends Seen {
  asked(url: string, request: WebRequest): void;
  by(session: Session): void;
  saw(page: WebResponse, picture?: TakePicture | null): void;
  /** An error that this page is the reason of. */
  refused(code: string, page: WebResponse, picture?: TakePicture | null): void;
  /** No answer came. */
  nothing(): void;
}

const REQUESTS_MAX = 20;
/** Shorter settings are names and switches. */
const SETTING_MIN_CHARS = 12;

export function createSights(source: string, settings: ReadonlyMap<string, string> | undefined): Sights {
  const requests: { url: string; request: WebRequest }[] = [];
  const sessions = new Set<Session>();
  let last: SeenPage | null = null;
  let refused: { code: string; page: SeenPage } | null = null;

  const seenPage = ({ url, status, headers, text }: WebResponse, picture: TakePicture | null): SeenPage => ({
    url,
    status,
    mediaType: headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    text,
    at: new Date(),
    picture,
  });

  return {
    asked(url, request) {
      if (requests.length >= REQUESTS_MAX) requests.shift();
      requests.push({ url, request });
    },
    by: (session) => void sessions.add(session),
    saw(page, picture = null) {
      last = seenPage(page, picture);
    },
    refused(code, page, picture = null) {
      last = seenPage(page, picture);
      refused = { code, page: last };
    },
    nothing() {
      last = null;
    },
    page: (code) => (refused !== null && refused.code === code ? refused.page : last),
    secrets: () => [
      ...requests.flatMap(({ url, request }) => [
        ...credentialsIn(url),
        ...secretValues({ headers: secretHeaders(request), body: bodyOf(request) }),
      ]),
      ...[...sessions].flatMap(secretsOfSession),
      ...[...(settings ?? [])]
        .filter(([name, value]) => isOf(source, name) && (isSecretName(name) || value.length >= SETTING_MIN_CHARS))
        .map(([, value]) => value),
    ],
  };
}

const isOf = (source: string, name: string): boolean => name.startsWith(`${source}.`);

const secretHeaders = ({ headers = {} }: WebRequest): string[] =>
  Object.entries(headers)
    .filter(([name]) => isSecretName(name))
    .map(([, value]) => value);

function bodyOf({ body }: WebRequest): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return Object.fromEntries(new URLSearchParams(body));
  }
}

function secretsOfSession({ exit, jar }: Session): string[] {
  const cookies = jar?.toJSON()?.cookies.map(({ value }) => value ?? '') ?? [];
  return exit === DIRECT ? cookies : [exit.username, exit.password, ...cookies];
}
