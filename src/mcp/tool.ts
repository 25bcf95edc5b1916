// How every tool is made: a name, a short description, a schema, and what it does. An error of the server is the result of the tool, with the server's sentence: the
// assistant reads it and can do better.
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { AppError } from '../model/errors.ts';
import type { Api } from './api.ts';

export interface Tool<Schema extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Schema;
  /** It starts no run and changes nothing. */
  isReading: boolean;
  run(input: z.infer<Schema>, api: Api, signal: AbortSignal): Promise<object>;
}

/** Typed by its schema, then one of many. */
export const tool = <Schema extends z.ZodObject>(made: Tool<Schema>): Tool => made as unknown as Tool;

export function register(server: McpServer, { name, title, description, input, isReading, run }: Tool, api: Api): void {
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: input,
      annotations: {
        readOnlyHint: isReading,
        destructiveHint: false,
        idempotentHint: isReading,
        openWorldHint: !isReading,
      },
    },
    async (given, { mcpReq }): Promise<CallToolResult> => {
      try {
        return { content: [{ type: 'text', text: JSON.stringify(await run(given, api, mcpReq.signal)) }] };
      } catch (error) {
        return { isError: true, content: [{ type: 'text', text: sentenceOf(error) }] };
      }
    },
  );
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error);
  const fields = (error.errors ?? []).map(
    ({ pointer, detail }) => `${pointer.slice(1).replaceAll('/', '.')}: ${detail}`,
  );
  return [error.message, ...fields].join('\n');
}
