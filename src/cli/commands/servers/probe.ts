// `windrow probe`: asks the process on this machine whether it lives or can work. For health checks of containers, which need no curl this way.
import { AppError } from '../../../model/errors.ts';
import { command, takesSettings } from '../../command.ts';
import { flagsFrom } from '../../settings/flags.ts';
import { loadConfig } from '../../settings/load.ts';
import { createTerminal } from '../../terminal/terminal.ts';

const LIMIT_MS = 5_000;

export const make = () =>
  takesSettings(
    command({
      name: 'probe',
      about: 'Asks the Windrow process on this machine whether it is ready: exit code 0 or 1.',
      examples: [
        ['windrow probe', 'the API on PORT, or the role on METRICS_PORT if that is set'],
        ['windrow probe --live', 'only whether it answers at all'],
      ],
    }).option('--live', 'ask /livez instead of /readyz'),
    ['port', 'metricsPort'],
  ).action(async (options: Record<string, unknown> & { live?: boolean }) => {
    const terminal = createTerminal({ json: Boolean(options.json) });
    const config = loadConfig({ flags: flagsFrom(options), file: options.config as string | undefined });
    const [host, port] = config.metricsPort ? [config.metricsHost, config.metricsPort] : [config.host, config.port];
    const url = `http://${reachable(host)}:${port}/${options.live ? 'livez' : 'readyz'}`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) }).catch((cause: unknown) => {
      throw new AppError('unavailable', `${url} does not answer.`, { cause });
    });
    const text = (await answer.text()).trim();
    if (!answer.ok) throw new AppError('unavailable', `${url} answered ${answer.status}: ${text.slice(0, 300)}`);
    if (options.json) terminal.document({ url, status: answer.status });
  });

/** Where something that listens on every address can be asked. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
