// Signing in to the dashboard and out of it. Programs do not need it: they send their key with every request.
import { z } from 'zod';
import { SCOPES } from '../../model/key/key.ts';
import type { Needs } from '../deps.ts';
import type { Caller } from '../http/access.ts';
import { json, type Route, route } from '../http/route.ts';
import { nameSchemas } from '../validation/named.ts';
import { invalid } from '../validation/validators.ts';
import { type PageSessions, sessionCookie, sessionToken } from './page-sessions.ts';

const TAG = 'Session';

const SessionView = z.object({
  scope: z.enum(SCOPES).meta({ description: 'What may be done; `admin` where no keys are needed.' }),
  key: z
    .object({ id: z.string(), owner: z.string() })
    .nullable()
    .meta({ description: 'The key that asks; null where no keys are needed.' }),
  expires_at: z.string().nullable().meta({ description: 'When the session of a browser ends.' }),
  sandbox: z.boolean().meta({ description: 'All pages come from the sandbox web, none from the internet.' }),
  version: z.string(),
});
nameSchemas({ Session: SessionView });

const EXAMPLE = {
  scope: 'submit',
  key: { id: 'key_a1b2c3d4e5f6', owner: 'team-a' },
  expires_at: '2026-02-11T10:33:00.000Z',
  sandbox: false,
  version: '0.1.0',
};

export interface SigningIn {
  sessions: PageSessions;
  /** Throws `unauthorized` when the key does not work. */
  callerWith(key: string): Caller | Promise<Caller>;
}

type SessionDeps = Needs<object, 'signingIn' | 'needsKeys' | 'version' | 'isSandbox' | 'log'>;

export const sessions = (deps: SessionDeps): Route[] => [show(deps), signIn(deps), signOut(deps)];

function show({ signingIn, version, isSandbox }: SessionDeps): Route {
  return route({
    method: 'GET',
    path: '/session',
    operationId: 'getSession',
    scope: 'read',
    tag: TAG,
    summary: 'Get what the caller may do, and what this server is',
    replies: { 200: json('The caller.', SessionView, EXAMPLE) },
    async handle(request) {
      const token = sessionToken(request.headers);
      const found = token === null ? null : await signingIn.sessions.find(token);
      return {
        scope: request.scope,
        key: request.keyId === null ? null : { id: request.keyId, owner: request.owner ?? '' },
        expires_at: found?.keyId === request.keyId ? found.expiresAt.toISOString() : null,
        sandbox: isSandbox,
        version,
      };
    },
  });
}

function signIn({ signingIn, needsKeys, version, isSandbox, log }: SessionDeps): Route {
  return route({
    method: 'POST',
    path: '/session',
    operationId: 'signIn',
    scope: 'read',
    tag: TAG,
    summary: 'Sign in with an API key (for browsers)',
    description:
      'Exchanges the key for a cookie that scripts cannot read. It lasts a week, and no longer than the key. Requests with it are refused unless they come from a page of this server.',
    body: z.strictObject({ key: z.string().min(1).max(500) }),
    bodyExample: { key: 'wdr_0123456789abcdef' },
    replies: { 201: json('Signed in; the cookie is in `Set-Cookie`.', SessionView, EXAMPLE) },
    problems: ['unauthorized'],
    isForPages: true,
    async handle(request, reply) {
      if (!needsKeys()) throw invalid([{ pointer: '/key', detail: 'is not needed: this server has no API keys' }]);
      const { keyId, owner, scope } = await signingIn.callerWith(request.body.key);
      const { token, expiresAt } = await signingIn.sessions.open(keyId!);
      log.info('session.opened', { key_id: keyId, request_id: request.id });
      reply.code(201).header('set-cookie', sessionCookie(token, request.protocol === 'https'));
      return {
        scope,
        key: { id: keyId!, owner: owner ?? '' },
        expires_at: expiresAt.toISOString(),
        sandbox: isSandbox,
        version,
      };
    },
  });
}

function signOut({ signingIn, log }: SessionDeps): Route {
  return route({
    method: 'DELETE',
    path: '/session',
    operationId: 'signOut',
    scope: 'read',
    tag: TAG,
    summary: 'Sign out (for browsers)',
    replies: {
      200: json('Signed out.', z.object({ status: z.literal('signed_out') }), { status: 'signed_out' }),
    },
    isForPages: true,
    async handle(request, reply) {
      const token = sessionToken(request.headers);
      if (token !== null) {
        await signingIn.sessions.end(token);
        log.info('session.closed', { request_id: request.id });
      }
      reply.header('set-cookie', sessionCookie(null, request.protocol === 'https'));
      return { status: 'signed_out' };
    },
  });
}
