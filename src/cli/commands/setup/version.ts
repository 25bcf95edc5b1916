// `windrow version`: which Windrow this is, and the Node it runs on.
import { versionLine, windrowVersion } from '../../../compose/process/version.ts';
import { command } from '../../command.ts';
import { createTerminal } from '../../terminal/terminal.ts';

export const make = () =>
  command({
    name: 'version',
    about: 'Shows the versions of Windrow and Node.',
    examples: [['windrow version --json', 'for a program']],
  }).action((options: { json?: boolean }) => {
    const terminal = createTerminal({ json: Boolean(options.json) });
    if (options.json) terminal.document({ version: windrowVersion(), node: process.versions.node });
    else terminal.out(versionLine());
  });
