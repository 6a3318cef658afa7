import * as z from "zod";
import { recordOf } from "../accounts/destinations.ts";
import type { Authorized } from "../contract/account.ts";
import {
  createDestinationBody,
  type DestinationChange,
  type DestinationRecord,
  deliveryRecord,
  destinationRecord,
  updateDestinationBody,
} from "../contract/destinations.ts";
import { apiKey } from "./authentication.ts";
import type { Http } from "./context.ts";
import {
  assertFields,
  changeDestination,
  changeOf,
  createDestination,
  destinationAt,
  removeDestination,
  replaceDestination,
} from "./destination-changes.ts";
import { externalRoutes } from "./external.ts";
import { firstOf, listRoute } from "./list.ts";
import { HttpProblem, notFound } from "./problem.ts";
import { callAccount, changeAccount, idOf, randomId, resource } from "./resource.ts";
import { jsonResponse, type Route, route } from "./route.ts";

const params = z.object({ destinationId: idOf("destination", "dst_") });
const deliveryParams = params.extend({
  deliveryId: z
    .string()
    .regex(/^del_[0-9a-f]{12}_[\w.-]{1,80}$/)
    .describe("The id of the delivery."),
});
const reader = apiKey("destinations:read", "management");
const writer = apiKey("destinations:write", "management");

const example: DestinationRecord = {
  destinationId: "dst_4kQ0mYb2Zt7RcX1a",
  name: "on call",
  format: "standard",
  url: "https://receiver.example/prompthook",
  email: null,
  events: ["execution.failed", "endpoint.failing", "endpoint.recovered"],
  payload: "thin",
  secret: { set: true, last4: "3xYz" },
  headers: [],
  content: false,
  revision: 1,
  externalId: null,
  managedBy: null,
  status: "enabled",
  failingSince: null,
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z",
};
const createExample = {
  name: example.name,
  url: "https://receiver.example/prompthook",
  format: "standard" as const,
  events: ["execution.failed" as const, "endpoint.failing" as const, "endpoint.recovered" as const],
  secret: "a-secret-of-yours-3xYz",
};
const deliveryExample = {
  deliveryId: "del_019a8b2c6f00_ping-4kQ0mYb2Zt7R",
  type: "ping",
  at: "2026-11-20T09:30:00.000Z",
  state: "pending" as const,
  attempts: [],
};
const delivery = jsonResponse(202, "The delivery.", deliveryRecord, deliveryExample);

const kind = {
  path: "/api/v1/destinations",
  tag: "Destinations" as const,
  name: "Destination",
  one: "a destination",
  record: destinationRecord,
  example,
  reader,
  writer,
};
const destination = resource({ ...kind, params });

const ping = route({
  method: "POST",
  path: `${destination.item}/ping`,
  operationId: "pingDestination",
  tag: "Destinations",
  summary: "Send a test message",
  description:
    "Sends a message of the type `ping`. Its delivery shows what the receiver answered. `otlp` gets an empty trace.",
  auth: writer,
  params,
  response: delivery,
  problems: ["not_found", "conflict"],
  async handler({ http, caller, params: { destinationId } }) {
    await find(http, caller, destinationId);
    const key = randomId("ping-");
    const page = `/dashboard/destinations/${destinationId}`;
    const message = { key, type: "ping", at: Date.now(), page, data: { destinationId } };
    const deliveryId = await callAccount(http, caller, (account) =>
      account.sendTo({ destinationId }, message),
    );
    if (deliveryId === null) throw disabled();
    const { type } = message;
    const at = new Date(message.at).toISOString();
    return { value: { deliveryId, type, at, state: "pending" as const, attempts: [] } };
  },
});

/** Makes the route that enables or disables a destination. */
function statusRoute(action: "enable" | "disable"): Route {
  const isEnabled = action === "enable";
  return route({
    method: "POST",
    path: `${destination.item}/${action}`,
    operationId: isEnabled ? "enableDestination" : "disableDestination",
    tag: "Destinations",
    summary: isEnabled ? "Enable a destination" : "Disable a destination",
    description: isEnabled
      ? "The destination gets events from now on. Those that it missed can be redelivered if they were deliveries already."
      : "The destination gets nothing until it is enabled. What waits for it is dropped.",
    auth: writer,
    params,
    response: jsonResponse(200, "The destination.", destinationRecord, example),
    problems: ["not_found"],
    async handler({ http, caller, params: { destinationId } }) {
      const change: DestinationChange = isEnabled
        ? { status: "enabled", failing: null }
        : { status: "disabled", disabledReason: `Disabled by ${caller.by.name}.` };
      return { value: await changeDestination(http, caller, destinationId, change) };
    },
  });
}

const deliveries = listRoute({
  path: `${destination.item}/deliveries`,
  operationId: "listDeliveries",
  tag: "Destinations",
  summary: "List deliveries",
  description:
    "Returns what was sent to a destination in the last 30 days, newest first, with each attempt.",
  auth: reader,
  params,
  items: "deliveries",
  page: "DeliveryPage",
  item: deliveryRecord,
  example: deliveryExample,
  problems: ["not_found"],
  async read({ http, caller, params: { destinationId }, query: { limit } }, after) {
    // One more than requested shows whether there is a next page.
    const query = { limit: limit + 1, after: after?.id ?? null };
    const found = await callAccount(http, caller, (account) =>
      account.deliveriesTo(destinationId, query),
    );
    if (found === null) throw notFound();
    return firstOf(found, limit, ({ at, deliveryId }) => ({
      createdAt: Date.parse(at),
      id: deliveryId,
    }));
  },
});

const redeliver = route({
  method: "POST",
  path: `${destination.item}/deliveries/:deliveryId/redeliver`,
  operationId: "redeliverToDestination",
  tag: "Destinations",
  summary: "Redeliver",
  description: "Delivers a message once more. Its `webhook-id` stays the same.",
  auth: writer,
  params: deliveryParams,
  response: delivery,
  problems: ["not_found", "conflict"],
  async handler({ http, caller, params: { destinationId, deliveryId } }) {
    const { status } = await find(http, caller, destinationId);
    if (status === "disabled") throw disabled();
    const address = { destinationId, messageId: deliveryId };
    const owed = await changeAccount(http, caller, (account) => account.redeliverTo(address));
    if (owed === null) throw notFound();
    return { value: owed };
  },
});

const disabled = () => new HttpProblem("conflict", "The destination is disabled. Enable it first.");

const all = (http: Http, caller: Authorized): Promise<DestinationRecord[]> =>
  callAccount(http, caller, (account) => account.listDestinations());

async function find(http: Http, caller: Authorized, id: string): Promise<DestinationRecord> {
  const found = (await all(http, caller)).find(({ destinationId }) => destinationId === id);
  if (found === undefined) throw notFound();
  return found;
}

const byExternalId = externalRoutes({
  ...kind,
  body: createDestinationBody,
  bodyExample: createExample,
  saved: destinationRecord,
  find: destinationAt,
  shown: async (_, found) => recordOf(found),
  async create(http, caller, body, application) {
    return recordOf(await createDestination(http, caller, body, application));
  },
  replace: replaceDestination,
  async remove(http, caller, { destinationId }) {
    await removeDestination(http, caller, destinationId);
  },
});

// Before those whose id is any word.
export const destinationRoutes = [
  ...byExternalId,
  destination.create({
    description:
      "Sends events of the account to an address: as webhooks, to Slack or Teams, by e-mail, as CloudEvents, or as OpenTelemetry traces. Deliveries are signed and retried like callbacks. A destination without one success in 5 days is disabled.",
    body: createDestinationBody,
    bodyExample: createExample,
    handler: async ({ http, caller, body }) =>
      recordOf(await createDestination(http, caller, body)),
  }),
  destination.list(
    "Returns the account's destinations, newest first.",
    all,
    ({ destinationId }) => destinationId,
  ),
  destination.get("Returns a destination without its secrets.", (asked) =>
    find(asked.http, asked.caller, asked.params.destinationId),
  ),
  destination.update({
    description:
      "Changes the fields that are named. `headers` replaces all headers, and a `secret` of null removes it. The format cannot be changed.",
    body: updateDestinationBody,
    bodyExample: { events: ["execution.failed"] },
    changed: { events: ["execution.failed"] },
    async handler({ http, caller, params: { destinationId }, body }) {
      const { format, url, email } = await find(http, caller, destinationId);
      assertFields({
        format,
        url: body.url ?? url ?? undefined,
        email: body.email ?? email ?? undefined,
        events: body.events ?? [],
        secret: body.secret ?? undefined,
        headers: body.headers ?? {},
        content: body.content ?? false,
      });
      const change = await changeOf(http, caller.accountId, { ...body, destinationId });
      return changeDestination(http, caller, destinationId, change);
    },
  }),
  destination.remove(
    "Deletes a destination with its deliveries. What waited for it is not sent.",
    ({ http, caller, params: { destinationId } }) => removeDestination(http, caller, destinationId),
  ),
  ping,
  statusRoute("enable"),
  statusRoute("disable"),
  deliveries,
  redeliver,
];
