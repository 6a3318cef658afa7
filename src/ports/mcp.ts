import * as z from "zod";
import { type Json, type JsonObject, jsonObject } from "../contract/json.ts";
import type { GuardedFetch } from "./fetch.ts";

/** The connection to a server for one exchange. */
export interface McpConnection {
  url: string;
  headers: Record<string, string>;
  /** Sends the requests; every address is checked. */
  fetch: GuardedFetch;
  /** Ends the exchange and its connection. */
  signal: AbortSignal;
  /** Receives the progress that the server reports, untrusted, while a call goes on. */
  onProgress?(progress: McpProgress): void;
}

export interface McpProgress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

/** How to reach a server now, or why it cannot be reached. */
export type ServerLookup =
  | { kind: "found"; url: string; headers: Record<string, string> }
  | { kind: "removed" }
  | { kind: "unavailable"; message: string };

/**
 * Looks up a server of an account, anew for each use. Throws if the account cannot be reached, and the
 * signal's reason when it aborts.
 */
export type McpServerDirectory = (serverId: string, signal: AbortSignal) => Promise<ServerLookup>;

/** Why an exchange failed. */
export interface McpFailure {
  code: string;
  message: string;
  /** Whether the call may have taken effect nevertheless. */
  mayHaveTakenEffect: boolean;
}

/** A server's untrusted result of a call. */
export interface McpResult {
  content: Json[];
  structuredContent?: Json;
  isError: boolean;
}

export interface McpCall {
  tool: Pick<RemoteTool, "remoteName" | "inputSchema">;
  arguments: JsonObject;
  /** The same for every repetition of this call. */
  idempotencyKey: string;
  /** Continues the trace in which the execution was started, if it was. */
  traceparent?: string;
}

/** What came of an exchange with a server. */
export type Exchanged<Value> = { ok: true; result: Value } | { ok: false; failure: McpFailure };

/**
 * Speaks the Model Context Protocol with remote servers, with a new connection for every exchange.
 * Returns failures of the server and the network as values; throws only the signal's reason.
 */
export interface McpClient {
  list(connection: McpConnection): Promise<Exchanged<OfferedTool[]>>;
  call(connection: McpConnection, call: McpCall): Promise<Exchanged<McpResult>>;
  /** Sends a request of an extension. */
  request(
    connection: McpConnection,
    request: { method: string; params: JsonObject },
  ): Promise<Exchanged<JsonObject>>;
}

/** A server's untrusted description of a tool. */
const offeredTool = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: jsonObject,
  /** Whether the server declares that a call changes nothing. */
  readOnly: z.boolean(),
});
export type OfferedTool = z.infer<typeof offeredTool>;

/**
 * A remote tool of an execution, unchanged from its first step to its end. Its `name` is the agent's:
 * `mcp__<server>__<tool>`.
 */
export const remoteTool = offeredTool.extend({
  /** The server's name for it. */
  remoteName: z.string(),
  serverId: z.string(),
  server: z.string(),
});
export type RemoteTool = z.infer<typeof remoteTool>;
