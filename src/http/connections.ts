import * as z from "zod";
import {
  type ConnectionRecord,
  connectionContext,
  connectionRecord,
  createConnectionBody,
} from "../contract/connections.ts";
import { accountStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { refusedHeaders } from "../outbound/headers.ts";
import { actorOf } from "./actor.ts";
import { sealSecret } from "./agent-settings.ts";
import { apiKey } from "./authentication.ts";
import { jsonBody } from "./body.ts";
import { callOnce, callWithRetry } from "./call-with-retry.ts";
import { randomId } from "./keys.ts";
import { listRoute, pageOf } from "./list.ts";
import { HttpProblem, invalid, notFound } from "./problem.ts";
import { jsonResponse, noContent, route } from "./route.ts";

const CONNECTIONS = "/api/v1/connections";
const ID_DIGITS = 16;

const connectionParams = z.object({
  connectionId: z
    .string()
    .regex(/^con_[0-9A-Za-z]{16}$/)
    .describe("The id of the connection: `con_` and 16 letters and digits."),
});
const auth = apiKey("keys:admin", "management");

const example: ConnectionRecord = {
  connectionId: "con_4kQ0mYb2Zt7RcX1a",
  name: "crm",
  hosts: ["api.crm.example"],
  pathPrefix: "/v2",
  header: "Authorization",
  createdAt: "2026-11-20T09:30:00.000Z",
};

const create = route({
  method: "POST",
  path: CONNECTIONS,
  operationId: "createConnection",
  tag: "Connections",
  summary: "Create a connection",
  description:
    "Stores a credential that the service adds to requests of an execution's tools to these hosts, over https. An execution uses the connections that its trigger or workflow names. The value is stored encrypted and never shown: not to the agent, and not in prompts, events, results, callbacks or logs. Answers that echo it, as it is or encoded in a usual way, have it removed.",
  auth,
  body: jsonBody(createConnectionBody, {
    name: example.name,
    hosts: example.hosts,
    pathPrefix: "/v2",
    header: example.header,
    value: "Bearer a-token-of-yours-3xYz",
  }),
  response: jsonResponse(201, "The connection.", connectionRecord, example),
  problems: ["conflict", "unavailable"],
  async handler({ http, caller, body: { name, value, pathPrefix, ...rule } }) {
    const refusal = refusedHeaders({ [rule.header]: value });
    if (refusal) throw invalid("header", "headers", refusal);
    const connectionId = randomId("con_", ID_DIGITS);
    const context = connectionContext(caller.accountId, connectionId);
    const connection = {
      connectionId,
      name,
      rule: { ...rule, pathPrefix: pathPrefix ?? null },
      sealedValue: await sealSecret(value, context, settingsOf(http.env)),
    };
    const reply = await callOnce(() =>
      accountStub(http.env, caller.accountId).addConnection(connection, actorOf(http, caller)),
    );
    if (reply.kind === "added") return { value: reply.record };
    throw new HttpProblem(
      "conflict",
      reply.kind === "name_taken"
        ? `The account already has a connection named ${name}. Choose another name.`
        : `The account has ${reply.limit} connections, which is the limit. Delete one first.`,
    );
  },
});

const list = listRoute({
  path: CONNECTIONS,
  operationId: "listConnections",
  tag: "Connections",
  summary: "List connections",
  description: "Returns the account's connections without their values, newest first.",
  auth,
  items: "connections",
  page: "ConnectionPage",
  item: connectionRecord,
  example,
  async read({ http, caller: { accountId }, query: { limit } }, after) {
    const all = await callWithRetry(() => accountStub(http.env, accountId).listConnections());
    return pageOf(all, limit, after, ({ createdAt, connectionId }) => ({
      createdAt: Date.parse(createdAt),
      id: connectionId,
    }));
  },
});

const remove = route({
  method: "DELETE",
  path: `${CONNECTIONS}/:connectionId`,
  operationId: "deleteConnection",
  tag: "Connections",
  summary: "Delete a connection",
  description: "Executions that use it continue without the credential from their next step.",
  auth,
  params: connectionParams,
  response: noContent("The connection is deleted."),
  problems: ["not_found"],
  async handler({ http, caller, params: { connectionId } }) {
    const isKnown = await callOnce(() =>
      accountStub(http.env, caller.accountId).removeConnection(connectionId, actorOf(http, caller)),
    );
    if (!isKnown) throw notFound();
    return { value: undefined };
  },
});

export const connectionRoutes = [create, list, remove];
