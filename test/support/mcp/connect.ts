import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished } from "vitest";
import * as z from "zod";

/** Versions of the protocol: the current one, and those before it with their handshake. */
export const ERAS = ["current", "earlier"] as const;
export type Era = (typeof ERAS)[number];

const NEGOTIATION = { current: { pin: "2026-07-28" }, earlier: "legacy" } as const;

const answer = z.looseObject({
  content: z.array(z.looseObject({ type: z.literal("text"), text: z.string() })).min(1),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
});

const problem = z.looseObject({ code: z.string(), detail: z.string(), requestId: z.string() });

interface Connection {
  /** Where the service is. */
  url: string;
  apiKey: string;
  era: Era;
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
}

/** The official client, connected to the service's MCP server with this key, until the test ends. */
export async function connectTo({ url, apiKey, era, fetch }: Connection) {
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), {
    fetch,
    requestInit: { headers: { Authorization: `Bearer ${apiKey}` } },
  });
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: NEGOTIATION[era] } },
  );
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, input: Record<string, unknown>, meta?: object) =>
    answer.parse(
      await client.callTool({ name, arguments: input, ...(meta && { _meta: { ...meta } }) }),
    );
  return {
    client,
    call,
    /** What a tool answers that does what it was asked; the text says the same as the structure. */
    async ask(name: string, input: Record<string, unknown> = {}, meta?: object) {
      const { content, structuredContent, isError } = await call(name, input, meta);
      expect(isError, content[0]?.text).toBe(false);
      expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
      return z.record(z.string(), z.unknown()).parse(structuredContent);
    },
    /** What a tool answers that is refused. */
    async refused(name: string, input: Record<string, unknown> = {}) {
      const { content, isError } = await call(name, input);
      expect(isError).toBe(true);
      return problem.parse(JSON.parse(content[0]?.text ?? ""));
    },
  };
}
