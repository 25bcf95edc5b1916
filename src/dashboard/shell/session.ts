// Who is signed in, and what the server is: asked once before anything else is shown, and again when the server refuses.
import { signal } from '@preact/signals';
import { covers, type Scope } from '../address/screens.ts';
import { call, type Reply, whenSignedOut } from '../api/call.ts';
import { asProblem, type Problem } from '../api/problem.ts';

export type Session = Reply<'GET /session'>;

export const session = signal<Session | null>(null);
/** Nobody is signed in, and the server wants a key. */
export const isSignedOut = signal(false);
export const sessionProblem = signal<Problem | null>(null);

whenSignedOut(() => {
  session.value = null;
  isSignedOut.value = true;
});

export async function readSession(): Promise<void> {
  try {
    session.value = await call('GET /session');
    isSignedOut.value = false;
    sessionProblem.value = null;
  } catch (error) {
    const problem = asProblem(error);
    sessionProblem.value = problem.status === 401 ? null : problem;
  }
}

export async function signIn(key: string): Promise<void> {
  await call('POST /session', { body: { key } });
  await readSession();
}

export async function signOut(): Promise<void> {
  await call('DELETE /session');
  session.value = null;
  isSignedOut.value = true;
}

/** Whether the key that is signed in may do this; what it may not is not shown. */
export const may = (scope: Scope): boolean => session.value !== null && covers(session.value.scope, scope);
