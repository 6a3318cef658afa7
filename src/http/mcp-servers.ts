import * as z from "zod";
import {
  type AddMcpServerReply,
  createMcpServerBody,
  type McpServerRecord,
  mcpHeadersContext,
  mcpServerRecord,
} from "../contract/mcp.ts";
import { accountStub } from "../durable/stubs.ts";
import { type Settings, settingsOf } from "../env.ts";
import { bytesForBase62, randomBase62 } from "../lib/encoding.ts";
import { seal } from "../lib/secrets.ts";
import { last4 } from "../lib/text.ts";
import { checkAddress } from "../outbound/address.ts";
import { refusedHeaders } from "../outbound/headers.ts";
import { jsonAnswer, noContent } from "./answer.ts";
import { jsonBody, noBody } from "./body.ts";
import { callWithRetry } from "./call-with-retry.ts";
import { serviceHosts } from "./executions/callback.ts";
import { keyWith } from "./guard.ts";
import { randomBytes } from "./new-key.ts";
import { pageOf, pageQuery } from "./page.ts";
import { HttpProblem, invalid, notFound, unavailable } from "./problem.ts";
import { nextCursorSchema, noParams, noQuery } from "./query.ts";
import { route } from "./route.ts";

const SERVERS = "/api/v1/mcp-servers";
const SERVER_ID_DIGITS = 16;

const serverParams = z.object({
  serverId: z
    .string()
    .regex(/^mcp_[0-9A-Za-z]{16}$/)
    .describe("The server: `mcp_` and 16 letters and digits."),
});
const guard = keyWith("keys:admin", "management");
const NEEDS = "Needs the scope keys:admin, since a server's headers are credentials.";

const example: McpServerRecord = {
  serverId: "mcp_4kQ0mYb2Zt7RcX1a",
  name: "crm",
  url: "https://crm.example/mcp",
  headers: [{ name: "Authorization", set: true, last4: "3xYz" }],
  createdAt: "2026-11-20T09:30:00.000Z",
};

const create = route({
  method: "POST",
  path: SERVERS,
  operationId: "createMcpServer",
  tag: "MCP servers",
  summary: "Register a remote MCP server, whose tools the account's agents may then use",
  description: `Its tools are named mcp__<name>__<tool>. ${NEEDS} The values of headers are kept encrypted and never shown again.`,
  guard,
  params: noParams,
  query: noQuery,
  body: jsonBody(createMcpServerBody, {
    name: "crm",
    url: "https://crm.example/mcp",
    headers: { Authorization: "Bearer a-token-of-yours-3xYz" },
  }),
  answer: jsonAnswer(201, "The server.", mcpServerRecord, example),
  errors: ["conflict"],
  async handler({ http, caller: { accountId }, body: { name, url, headers } }) {
    const settings = settingsOf(http.env);
    const address = checkedAddress(url, serviceHosts(http.req.url, settings), settings);
    checkHeaders(headers);
    const serverId = newServerId();
    const sealedHeaders = await sealed(headers, mcpHeadersContext(accountId, serverId), settings);
    const shown = Object.entries(headers).map(([header, value]) => shownHeader(header, value));
    const server = { serverId, name, url: address, headers: shown, sealedHeaders };
    const reply = await callWithRetry(() => accountStub(http.env, accountId).addMcpServer(server), {
      idempotent: false,
    });
    return { value: added(reply, name) };
  },
});

const list = route({
  method: "GET",
  path: SERVERS,
  operationId: "listMcpServers",
  tag: "MCP servers",
  summary: "List the account's MCP servers, the newest first",
  description: NEEDS,
  guard,
  params: noParams,
  query: pageQuery,
  body: noBody,
  answer: jsonAnswer(
    200,
    "One page.",
    z
      .object({
        mcpServers: z.array(mcpServerRecord).describe("The newest first."),
        nextCursor: nextCursorSchema,
      })
      .meta({ id: "McpServerPage" }),
    { mcpServers: [example], nextCursor: null },
  ),
  errors: [],
  async handler({ http, caller: { accountId }, query }) {
    const all = await callWithRetry(() => accountStub(http.env, accountId).listMcpServers(), {
      idempotent: true,
    });
    const { items, nextCursor } = pageOf(all, query, ({ createdAt, serverId }) => ({
      createdAt: Date.parse(createdAt),
      id: serverId,
    }));
    return { value: { mcpServers: items, nextCursor } };
  },
});

const remove = route({
  method: "DELETE",
  path: `${SERVERS}/:serverId`,
  operationId: "deleteMcpServer",
  tag: "MCP servers",
  summary: "Remove an MCP server",
  description: `Executions under way can call it no more. ${NEEDS}`,
  guard,
  params: serverParams,
  query: noQuery,
  body: noBody,
  answer: noContent("Removed."),
  errors: ["not_found"],
  async handler({ http, caller: { accountId }, params: { serverId } }) {
    const known = await callWithRetry(
      () => accountStub(http.env, accountId).removeMcpServer(serverId),
      {
        idempotent: false,
      },
    );
    if (!known) throw notFound();
    return { value: undefined };
  },
});

/** The canonical form of a server's address; throws a 400 for one that no request may go to. */
function checkedAddress(url: string, ownHosts: string[], settings: Settings): string {
  const checked = checkAddress(url, {
    allowLoopback: settings.ALLOW_LOOPBACK,
    ownHosts,
    schemes: ["https"],
  });
  if (!checked.ok) throw invalid("url", "address", checked.reason);
  return checked.url.href;
}

/** Headers that the protocol itself sets. */
const OF_THE_PROTOCOL = /^(?:accept|content-type|last-event-id|user-agent|mcp-.*)$/i;

function checkHeaders(headers: Record<string, string>): void {
  const refusal = refusedHeaders(headers);
  if (refusal) throw invalid("headers", "headers", refusal);
  const names = Object.keys(headers);
  const protocols = names.find((name) => OF_THE_PROTOCOL.test(name));
  if (protocols !== undefined) {
    throw invalid(`headers.${protocols}`, "headers", "is set by the protocol itself");
  }
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    throw invalid("headers", "headers", "names a header twice");
  }
}

function shownHeader(name: string, value: string): McpServerRecord["headers"][number] {
  return { name, set: true, last4: last4(value) };
}

async function sealed(
  headers: Record<string, string>,
  context: string,
  { ENCRYPTION_KEY }: Settings,
): Promise<string | null> {
  if (Object.keys(headers).length === 0) return null;
  if (ENCRYPTION_KEY.length === 0) {
    throw unavailable("This service has no ENCRYPTION_KEY, so it cannot keep headers.", 3_600);
  }
  return seal(JSON.stringify(headers), ENCRYPTION_KEY, context);
}

function newServerId(): string {
  const random = randomBytes(bytesForBase62(SERVER_ID_DIGITS));
  return `mcp_${randomBase62(random, SERVER_ID_DIGITS)}`;
}

function added(reply: AddMcpServerReply, name: string): McpServerRecord {
  switch (reply.kind) {
    case "added":
      return reply.record;
    case "name_taken":
      throw new HttpProblem("conflict", `There is an MCP server named ${name} already.`);
    case "full":
      throw new HttpProblem(
        "conflict",
        `An account has at most ${reply.limit} MCP servers; remove one first.`,
      );
  }
}

export const mcpServerRoutes = [create, list, remove];
