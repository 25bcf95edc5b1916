// Signatures of Standard Webhooks: over `id.timestamp.body`, so that neither an old request nor its time can be forged. While a secret is rotated both
// secrets sign, and a receiver may know either.
import { Webhook } from 'standardwebhooks';

export function signedHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
