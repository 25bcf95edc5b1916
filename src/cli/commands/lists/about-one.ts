// Commands about one of something, by its id: `windrow schedules pause <id>`, `windrow alerts show <id>`.
import type { Command } from 'commander';
import { type Client, clientCommand, configuredClient } from '../../client/client.ts';
import { createTerminal, type Terminal } from '../../terminal/terminal.ts';

export type ClientOptions = Record<string, unknown> & { json?: boolean };

/** What a client command acts with. */
export interface At {
  client: Client;
  terminal: Terminal;
  options: ClientOptions;
}

export async function openClient(options: ClientOptions): Promise<At> {
  const terminal = createTerminal({ json: Boolean(options.json) });
  return { client: await configuredClient(options, terminal), terminal, options };
}

/** `command` is also the path in the API. */
export const aboutOne =
  (of: { command: string; noun: string; example: string }) =>
  (name: string, about: string, act: (at: At & { path: string }) => Promise<void>): Command =>
    clientCommand({
      name,
      about,
      examples: [[`windrow ${of.command} ${name} ${of.example}`, `an id from \`windrow ${of.command} list\``]],
    })
      .argument('<id>', `${of.noun} id`)
      .action(async (id: string, options: ClientOptions) =>
        act({ ...(await openClient(options)), path: `/${of.command}/${encodeURIComponent(id)}` }),
      );
