// `windrow mcp`: the MCP server on stdin and stdout, for assistants. It speaks to a running server over its public API.
import { windrowVersion } from '../../../compose/process/version.ts';
import { clientCommand, configuredClient } from '../../client/client.ts';
import { createTerminal } from '../../terminal/terminal.ts';

export const make = () =>
  clientCommand({
    name: 'mcp',
    about: 'Serves the tools of Windrow to an assistant over stdin and stdout (Model Context Protocol).',
    examples: [
      ['windrow mcp', 'what an assistant starts; tools use the server that runs here'],
      ['windrow mcp --url https://windrow.example.com', 'another server; its key comes from WINDROW_API_KEY'],
    ],
  }).action(async (options: Record<string, unknown>) => {
    // stdout belongs to the protocol.
    const terminal = createTerminal({ json: true });
    const client = await configuredClient(options, terminal);
    // Only here: the other commands do not wait for the SDK.
    const [{ serveStdio }, { createMcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server/stdio'),
      import('../../../mcp/server.ts'),
    ]);
    // A pipe is closed, a file only ends.
    const ended = new Promise<void>((resolve) => {
      for (const event of ['end', 'close']) process.stdin.once(event, resolve);
    });
    const served = serveStdio(() => createMcpServer(client, windrowVersion()), {
      onerror: (error) => terminal.say(`mcp: ${error.message}`),
    });
    if (process.stdin.isTTY)
      terminal.say(`Serving MCP on stdin for ${client.origin}. Assistants start this command; Ctrl-C ends it.`);
    await ended;
    await served.close();
  });
