import * as z from "zod";
import type { KeptKeyRecord } from "../contract/keys.ts";
import {
  createMcpTokenBody,
  MCP_TOKEN_PREFIX,
  type McpTokenRecord,
  mcpTokenCreated,
  mcpTokenRecord,
} from "../contract/mcp-tokens.ts";
import { accountStub } from "../durable/stubs.ts";
import { endpointIdsOf } from "../records/endpoints.ts";
import { actorOf } from "./actor.ts";
import { apiKey } from "./authentication.ts";
import { jsonBody } from "./body.ts";
import { callOnce, callWithRetry } from "./call-with-retry.ts";
import { generateKey, revokeKey, tooManyKeys } from "./keys.ts";
import { listRoute, pageOf } from "./list.ts";
import { invalid } from "./problem.ts";
import { jsonResponse, noContent, route } from "./route.ts";

const TOKENS = "/api/v1/mcp-tokens";

const tokenParams = z.object({
  tokenId: z
    .string()
    .regex(/^mct_[0-9A-Za-z]{16}$/)
    .describe("The id of the token: `mct_` and 16 letters and digits."),
});
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

const create = route({
  method: "POST",
  path: TOKENS,
  operationId: "createMcpToken",
  tag: "MCP tokens",
  summary: "Create an MCP address",
  description:
    "Creates an address of Prompthook's MCP server that needs no key: for clients that can only be given an address. It has the scopes that you name and, with `endpointIds`, reaches these endpoints alone. Only this response includes the address. Tokens count as keys.",
  auth,
  body: jsonBody(createMcpTokenBody, { name: example.name, scopes: example.scopes }),
  response: jsonResponse(201, "The token.", mcpTokenCreated, {
    ...example,
    url: `https://prompthook.example/mcp/k/ph_mcp_${"0".repeat(50)}`,
  }),
  problems: ["conflict"],
  async handler({ http, caller: { accountId, by }, body: { name, scopes, endpointIds } }) {
    const { env } = http;
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
    const actor = actorOf(http, { by });
    const reply = await callOnce(() => accountStub(env, accountId).createKey(key, actor));
    if (reply.kind === "full") throw tooManyKeys();
    const url = new URL(`/mcp/k/${made.secret}`, http.req.url).href;
    return { value: { ...recordOf(reply.record), url } };
  },
});

const list = listRoute({
  path: TOKENS,
  operationId: "listMcpTokens",
  tag: "MCP tokens",
  summary: "List MCP addresses",
  description: "Returns the account's tokens, newest first, revoked ones included.",
  auth,
  items: "mcpTokens",
  page: "McpTokenPage",
  item: mcpTokenRecord,
  example,
  async read({ http, caller: { accountId }, query: { limit } }, after) {
    const all = await callWithRetry(() => accountStub(http.env, accountId).listKeys());
    const tokens = all.filter(({ keyId }) => keyId.startsWith(MCP_TOKEN_PREFIX)).map(recordOf);
    return pageOf(tokens, limit, after, ({ createdAt, tokenId }) => ({
      createdAt: Date.parse(createdAt),
      id: tokenId,
    }));
  },
});

const revoke = route({
  method: "DELETE",
  path: `${TOKENS}/:tokenId`,
  operationId: "revokeMcpToken",
  tag: "MCP tokens",
  summary: "Revoke an MCP address",
  description:
    "The address stops working at once, and within a minute so do the subscriptions that were made with it.",
  auth,
  params: tokenParams,
  response: noContent("The token is revoked."),
  problems: ["not_found"],
  async handler({ http, caller, params: { tokenId } }) {
    await revokeKey(http.env, caller.accountId, tokenId, actorOf(http, caller));
    return { value: undefined };
  },
});

function recordOf({ keyId, expiresAt: _, endpointIds, ...key }: KeptKeyRecord): McpTokenRecord {
  return { tokenId: keyId, ...key, endpointIds: endpointIds ?? null };
}

export const mcpTokenRoutes = [create, list, revoke];
