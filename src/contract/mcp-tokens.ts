import * as z from "zod";
import { closed, listOf, open } from "./fields.ts";
import { apiKeyRecord, SCOPES, scope } from "./keys.ts";
import { label } from "./operators.ts";
import { endpointId } from "./webhooks/endpoint.ts";

/** The beginning of a token's id, by which it differs from an API key. */
export const MCP_TOKEN_PREFIX = "mct_";

const endpointIds = listOf(endpointId, 100, 1).describe("The endpoints that it reaches.");

/** The body of POST /mcp-tokens. */
export const createMcpTokenBody = closed({
  name: label,
  scopes: listOf(scope, SCOPES.length, 1).describe("What clients of the address may do."),
  endpointIds: endpointIds.optional(),
}).meta({ id: "CreateMcpToken" });

/** A token in a list. Its address is shown once, when it is created. */
export const mcpTokenRecord = open({
  tokenId: z.string().describe("The id of the token."),
  ...apiKeyRecord.omit({ keyId: true, expiresAt: true }).shape,
  endpointIds: endpointIds.nullable(),
}).meta({ id: "McpToken" });
export type McpTokenRecord = z.infer<typeof mcpTokenRecord>;

export const mcpTokenCreated = mcpTokenRecord
  .extend({
    url: z.string().describe("The address, shown once. Anyone who has it can use the server."),
  })
  .meta({ id: "McpTokenCreated" });
