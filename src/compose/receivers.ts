// How webhooks are sent, from the configuration. A host map for `*` applies to scraped pages, not to webhook receivers: otherwise no delivery would
// arrive from a server in sandbox mode.
import type { Receivers } from '../api/deps.ts';
import type { Config } from '../config.ts';
import { asAppError } from '../model/errors.ts';
import type { WebhookStore } from '../store/webhooks/webhook-store.ts';
import { createWeb, type Webs } from '../web/web.ts';
import type { Role } from './process/role.ts';
import { webOptions } from './web.ts';

const REFUSAL =
  'Webhook URL not allowed: it has to be http or https, without a user name, on port 80 or 443 of a public address. To allow others: WEB_ALLOW_PRIVATE and WEB_PORTS';

/** For the API. The web layer is opened at the first check. */
export function configuredReceivers(role: Role, store: Pick<WebhookStore, 'instanceSecret'>): Receivers {
  let webs: Webs | undefined;
  role.life.own('receivers', async () => webs?.close());
  return {
    problemOf(url) {
      webs ??= openWebs(role.config);
      return receiverProblem(webs, url);
    },
    secret: receiverSecret(role.config, store),
    max: role.config.webhookMax,
  };
}

export function receiverWeb({ config, life }: Pick<Role, 'config' | 'life'>): Webs {
  const webs = openWebs(config);
  life.own('receivers', () => webs.close());
  return webs;
}

function openWebs(config: Config): Webs {
  const named = (config.webHostMap ?? []).filter((entry) => !entry.startsWith('*='));
  const { hostMap: _everything, ...options } = webOptions(config);
  return createWeb({ ...options, ...(named.length > 0 ? { hostMap: named.join(',') } : {}) });
}

/** One sentence for every reason: the exact reason would reveal the internal network. */
async function receiverProblem(webs: Webs, url: string): Promise<string | null> {
  try {
    await webs.checkReceiver(url);
    return null;
  } catch (thrown) {
    const { code } = asAppError(thrown);
    if (code === 'forbidden_address' || code === 'dns' || code === 'invalid_params') return REFUSAL;
    throw thrown;
  }
}

/** The secret that signs deliveries to the webhook_url of runs. It never changes while the process runs, so it is read once. */
export function receiverSecret(config: Config, store: Pick<WebhookStore, 'instanceSecret'>): () => Promise<string> {
  let known: string | undefined = config.webhookSecret;
  return async () => {
    known ??= await store.instanceSecret();
    return known;
  };
}
