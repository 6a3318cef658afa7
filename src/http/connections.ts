import {
  type ConnectionRecord,
  connectionContext,
  connectionRecord,
  createConnectionBody,
} from "../contract/connections.ts";
import { settingsOf } from "../env.ts";
import { refusedHeaders } from "../outbound/headers.ts";
import { sealSecret } from "./agent-settings.ts";
import { apiKey } from "./authentication.ts";
import { invalid } from "./problem.ts";
import { added, callAccount, changeAccount, randomId, resource } from "./resource.ts";

const auth = apiKey("keys:admin", "management");

const example: ConnectionRecord = {
  connectionId: "con_4kQ0mYb2Zt7RcX1a",
  name: "crm",
  hosts: ["api.crm.example"],
  pathPrefix: "/v2",
  header: "Authorization",
  createdAt: "2026-11-20T09:30:00.000Z",
};

const connection = resource({
  path: "/api/v1/connections",
  name: "Connection",
  one: "a connection",
  id: "connectionId",
  record: connectionRecord,
  example,
  reader: auth,
  writer: auth,
});

export const connectionRoutes = [
  connection.create({
    description:
      "Stores a credential that the service adds to requests of an execution's tools to these hosts, over https. An execution uses the connections that its trigger or workflow names. The value is stored encrypted and never shown: not to the agent, and not in prompts, events, results, callbacks or logs. Answers that echo it, as it is or encoded in a usual way, have it removed.",
    body: createConnectionBody,
    bodyExample: {
      name: example.name,
      hosts: example.hosts,
      pathPrefix: "/v2",
      header: example.header,
      value: "Bearer a-token-of-yours-3xYz",
    },
    async handler({ http, caller, body: { name, value, pathPrefix, ...rule } }) {
      const refusal = refusedHeaders({ [rule.header]: value });
      if (refusal) throw invalid("header", "headers", refusal);
      const connectionId = randomId("con_");
      const context = connectionContext(caller.accountId, connectionId);
      const stored = {
        connectionId,
        name,
        rule: { ...rule, pathPrefix: pathPrefix ?? null },
        sealedValue: await sealSecret(value, context, settingsOf(http.env)),
      };
      const reply = await changeAccount(http, caller, (account, actor) =>
        account.addConnection(stored, actor),
      );
      return added(reply, "a connection", name);
    },
  }),
  connection.list(
    "Returns the account's connections without their values, newest first.",
    (http, caller) => callAccount(http, caller, (account) => account.listConnections()),
  ),
  connection.remove(
    "Executions that use it continue without the credential from their next step.",
    ({ http, caller, id }) =>
      changeAccount(http, caller, (account, actor) => account.removeConnection(id, actor)),
  ),
];
