// Whether something may be sent to an address: asked when it is registered or named, and answered 422 with the field. What is sent is judged again at each
// delivery, since names can come to mean other addresses.
import { within } from '../../observe/cached.ts';
import type { ApiDeps } from '../deps.ts';
import { invalid } from '../validation/validators.ts';

const LIMIT_MS = 10_000;

export async function checkReceiver(
  { receivers }: Pick<ApiDeps, 'receivers'>,
  url: string,
  pointer: string,
): Promise<void> {
  const problem = await within(receivers.problemOf(url), LIMIT_MS, 'The name of the receiver');
  if (problem !== null) throw invalid([{ pointer, detail: problem }], 'body');
}
