import type { Json, JsonObject } from "../../contract/json.ts";
import type { GuardedFetch } from "./fetch.ts";

/** How a server is reached, for one exchange. */
export interface McpConnection {
  url: string;
  headers: Record<string, string>;
  /** The only way out: every address is guarded. */
  fetch: GuardedFetch;
  /** Ends the exchange, and the connection to the server with it. */
  signal: AbortSignal;
}

/** Why an exchange failed. */
export interface McpFailure {
  code: string;
  message: string;
  /** The server may have carried the call out all the same. */
  mayHaveTakenEffect: boolean;
}

/** What a server answered to a call. None of it is to be believed. */
export interface McpResult {
  content: Json[];
  structuredContent?: Json;
  isError: boolean;
}

export interface McpCall {
  tool: Pick<RemoteTool, "remoteName" | "inputSchema">;
  arguments: JsonObject;
  /** The same whenever this very call is made again. */
  idempotencyKey: string;
}

/**
 * Speaks the Model Context Protocol with remote servers; every exchange is a connection of its own.
 * Failures of the server and of the way to it are values; only the signal's abort is thrown.
 */
export interface McpClient {
  list(
    connection: McpConnection,
  ): Promise<{ ok: true; tools: OfferedTool[] } | { ok: false; failure: McpFailure }>;
  call(
    connection: McpConnection,
    call: McpCall,
  ): Promise<{ ok: true; result: McpResult } | { ok: false; failure: McpFailure }>;
}

/** A tool as its server describes it. None of it is to be believed. */
export interface OfferedTool {
  name: string;
  description: string;
  inputSchema: JsonObject;
  /** The server says that a call changes nothing. */
  readOnly: boolean;
}

/** A tool of a remote server as an execution has it, from its first step to its end. */
export interface RemoteTool extends OfferedTool {
  /** What the agent calls it: `mcp__<server>__<tool>`. */
  name: string;
  /** What its server calls it. */
  remoteName: string;
  serverId: string;
  server: string;
}
