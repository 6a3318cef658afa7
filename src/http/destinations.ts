import { recordOf } from "../accounts/destinations.ts";
import {
  createDestinationBody,
  type DestinationChange,
  deliveryRecord,
  destinationRecord,
  updateDestinationBody,
} from "../contract/destinations.ts";
import { accountStub } from "../durable/stubs.ts";
import { firstOf } from "../lib/pages.ts";
import { apiKey } from "./authentication.ts";
import { callWithRetry } from "./call-with-retry.ts";
import {
  changeDestination,
  createDestination,
  destinationAt,
  existingDestination,
  removeDestination,
  replacementOf,
  storeChange,
} from "./destination-changes.ts";
import { namedRoutes } from "./external.ts";
import { listRoute, pageOf } from "./list.ts";
import { HttpProblem, notFound } from "./problem.ts";
import { callAccount, changeAccount, randomId } from "./resource.ts";
import { jsonResponse, type Route, route } from "./route.ts";

const DESTINATIONS = "/api/v1/destinations";
const reader = apiKey("destinations:read", "management");
const writer = apiKey("destinations:write", "management");

const delivery = jsonResponse(202, "The delivery.", deliveryRecord);

const ping = route("POST", `${DESTINATIONS}/:destinationId/ping`, {
  operationId: "pingDestination",
  summary: "Send a test message",
  description:
    "Sends a message of the type `ping`. Its delivery shows what the receiver answered. `otlp` gets an empty trace.",
  auth: writer,
  response: delivery,
  problems: ["conflict"],
  async handler({ http, caller, params: { destinationId } }) {
    await existingDestination(http, caller.accountId, destinationId);
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
  return route("POST", `${DESTINATIONS}/:destinationId/${action}`, {
    operationId: isEnabled ? "enableDestination" : "disableDestination",
    summary: isEnabled ? "Enable a destination" : "Disable a destination",
    description: isEnabled
      ? "The destination gets events from now on. Those that it missed can be redelivered if they were deliveries already."
      : "The destination gets nothing until it is enabled. What waits for it is dropped.",
    auth: writer,
    response: jsonResponse(200, "The destination.", destinationRecord),
    async handler({ http, caller, params: { destinationId } }) {
      const change: DestinationChange = isEnabled
        ? { status: "enabled", failing: null }
        : { status: "disabled", disabledReason: `Disabled by ${caller.by.name}.` };
      return { value: await storeChange(http, caller, destinationId, change) };
    },
  });
}

const deliveries = listRoute(`${DESTINATIONS}/:destinationId/deliveries`, {
  operationId: "listDeliveries",
  summary: "List deliveries",
  description:
    "Returns what was sent to a destination in the last 30 days, newest first, with each attempt.",
  auth: reader,
  items: "deliveries",
  page: "DeliveryPage",
  item: deliveryRecord,
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

const redeliver = route("POST", `${DESTINATIONS}/:destinationId/deliveries/:deliveryId/redeliver`, {
  operationId: "redeliverToDestination",
  summary: "Redeliver",
  description: "Delivers a message once more. Its `webhook-id` stays the same.",
  auth: writer,
  response: delivery,
  problems: ["conflict"],
  async handler({ http, caller, params: { destinationId, deliveryId } }) {
    const { status } = await existingDestination(http, caller.accountId, destinationId);
    if (status === "disabled") throw disabled();
    const address = { destinationId, messageId: deliveryId };
    const owed = await changeAccount(http, caller, (account) => account.redeliverTo(address));
    if (owed === null) throw notFound();
    return { value: owed };
  },
});

const disabled = () => new HttpProblem("conflict", "The destination is disabled. Enable it first.");

const named = namedRoutes({
  path: DESTINATIONS,
  name: "Destination",
  one: "a destination",
  id: "destinationId",
  record: destinationRecord,
  saved: destinationRecord,
  reader,
  writer,
  body: createDestinationBody,
  bodyExample: {
    name: "on call",
    url: "https://receiver.example/prompthook",
    format: "standard",
    events: ["execution.failed", "endpoint.failing", "endpoint.recovered"],
    secret: "a-secret-of-yours-3xYz",
  },
  update: updateDestinationBody,
  updateExample: { events: ["execution.failed"] },
  descriptions: {
    create:
      "Sends events of the account to an address: as webhooks, to Slack or Teams, by e-mail, as CloudEvents, or as OpenTelemetry traces. Deliveries are signed and retried like callbacks. A destination without one success in 5 days is disabled.",
    list: "Returns the account's destinations, newest first.",
    get: "Returns a destination without its secrets.",
    update:
      "Changes the fields that are named. `headers` replaces all headers, and a `secret` of null removes it. The format cannot be changed.",
    remove: "Deletes a destination with its deliveries. What waited for it is not sent.",
  },
  idOf: ({ destinationId }) => destinationId,
  existing: existingDestination,
  find: destinationAt,
  shown: async (_, found) => recordOf(found),
  async page(http, { accountId }, limit, after) {
    const all = await callWithRetry(() => accountStub(http.env, accountId).listDestinations());
    return pageOf(all, limit, after, ({ createdAt, destinationId: id }) => ({
      createdAt: Date.parse(createdAt),
      id,
    }));
  },
  create: createDestination,
  change: changeDestination,
  replacement: replacementOf,
  remove: removeDestination,
});

export const destinationRoutes = [
  ...named,
  ping,
  statusRoute("enable"),
  statusRoute("disable"),
  deliveries,
  redeliver,
];
