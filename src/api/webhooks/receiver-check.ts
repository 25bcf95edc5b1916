// Whether a webhook URL is allowed: checked when it is given, with 422 for the field. Each delivery is checked again, since a host name can change its
// address.
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
