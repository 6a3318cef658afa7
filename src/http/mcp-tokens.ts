import type { KeptKeyRecord } from "../contract/keys.ts";
import {
  createMcpTokenBody,
  MCP_TOKEN_PREFIX,
  type McpTokenRecord,
  mcpTokenCreated,
  mcpTokenRecord,
} from "../contract/mcp-tokens.ts";
import { endpointIdsOf } from "../records/endpoints.ts";
import { apiKey } from "./authentication.ts";
import { jsonBody } from "./body.ts";
import { callWithRetry } from "./call-with-retry.ts";
import { addKey, generateKey } from "./keys.ts";
import { invalid } from "./problem.ts";
import { callAccount, resource } from "./resource.ts";
import { jsonResponse, route } from "./route.ts";

const auth = apiKey("keys:admin", "management");

const example: McpTokenRecord = {
  tokenId: "mct_4kQ0mYb2Zt7RcX1a",
  name: "assistant",
  scopes: ["webhooks:read"],
  last4: "3xYz",
  createdAt: "2026-11-20T09:30:00.000Z",
  revokedAt: null,
  lastUsedAt: null,
  endpointIds: null,
};

const token = resource({
  path: "/api/v1/mcp-tokens",
  name: "McpToken",
  one: "an MCP token",
  id: "tokenId",
  record: mcpTokenRecord,
  example,
  reader: auth,
  writer: auth,
});

const create = route("POST", "/api/v1/mcp-tokens", {
  operationId: "createMcpToken",
  summary: "Create an MCP token",
  description:
    "Creates an address of Prompthook's MCP server that needs no key: for clients that can only be given an address. It has the scopes that you name and, with `endpointIds`, reaches these endpoints alone. Only this response includes the address. Tokens count as keys.",
  auth,
  body: jsonBody(createMcpTokenBody, { name: example.name, scopes: example.scopes }),
  response: jsonResponse(201, "The token.", mcpTokenCreated, {
    ...example,
    url: `https://prompthook.example/mcp/k/ph_mcp_${"0".repeat(50)}`,
  }),
  problems: ["conflict"],
  async handler({ http, caller, body: { name, scopes, endpointIds } }) {
    const { env } = http;
    const { accountId } = caller;
    if (endpointIds !== undefined) {
      const own = await callWithRetry(() => endpointIdsOf(env.DB, accountId));
      const at = endpointIds.findIndex((id) => !own.includes(id));
      if (at >= 0) throw invalid(`endpointIds.${at}`, "exists", "is no endpoint of the account");
    }
    const made = await generateKey(env, accountId, { use: "mcp", prefix: MCP_TOKEN_PREFIX });
    const key = {
      ...made.stored,
      name,
      scopes: [...new Set(scopes)],
      expiresAt: null,
      endpointIds: endpointIds ?? null,
    };
    const record = await addKey(http, caller, key);
    const url = new URL(`/mcp/k/${made.secret}`, http.req.url).href;
    return { value: { ...recordOf(record), url } };
  },
});

function recordOf({ keyId, expiresAt: _, endpointIds, ...key }: KeptKeyRecord): McpTokenRecord {
  return { tokenId: keyId, ...key, endpointIds: endpointIds ?? null };
}

export const mcpTokenRoutes = [
  create,
  token.list(
    "Returns the account's tokens, newest first, revoked ones included.",
    async (http, caller) => {
      const all = await callAccount(http, caller, (account) => account.listKeys());
      return all.filter(({ keyId }) => keyId.startsWith(MCP_TOKEN_PREFIX)).map(recordOf);
    },
  ),
  token.remove(
    "The address stops working at once, and within a minute so do the subscriptions that were made with it.",
    ({ http, caller, id }) =>
      callAccount(http, caller, (account, actor) => account.revokeKey(id, actor)),
    { verb: "revoke" },
  ),
];
