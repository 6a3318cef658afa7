import type { JsonObject } from "../../contract/json.ts";

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
