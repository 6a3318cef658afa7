import * as z from "zod";
import {
  createDestinationBody,
  type DestinationChange,
  type DestinationRecord,
  deliveryRecord,
  destinationRecord,
  type StoredDestination,
  updateDestinationBody,
} from "../contract/destinations.ts";
import { accountStub } from "../durable/stubs.ts";
import { actorOf } from "./actor.ts";
import { apiKey } from "./authentication.ts";
import { jsonBody } from "./body.ts";
import { callOnce, callWithRetry } from "./call-with-retry.ts";
import type { Http } from "./context.ts";
import { assertFields, settingsFor } from "./destination-settings.ts";
import { randomId } from "./keys.ts";
import { firstOf, listRoute, pageOf } from "./list.ts";
import { HttpProblem, notFound } from "./problem.ts";
import { jsonResponse, noContent, type Route, route } from "./route.ts";

const DESTINATIONS = "/api/v1/destinations";
const ONE = `${DESTINATIONS}/:destinationId`;
const ID_DIGITS = 16;

const params = z.object({
  destinationId: z
    .string()
    .regex(/^dst_[0-9A-Za-z]{16}$/)
    .describe("The id of the destination: `dst_` and 16 letters and digits."),
});
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
  status: "enabled",
  failingSince: null,
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z",
};
const deliveryExample = {
  deliveryId: "del_019a8b2c6f00_ping-4kQ0mYb2Zt7R",
  type: "ping",
  at: "2026-11-20T09:30:00.000Z",
  state: "pending" as const,
  attempts: [],
};
const response = jsonResponse(200, "The destination.", destinationRecord, example);
const delivery = jsonResponse(202, "The delivery.", deliveryRecord, deliveryExample);

type Caller = Parameters<typeof actorOf>[1] & { accountId: string };

const create = route({
  method: "POST",
  path: DESTINATIONS,
  operationId: "createDestination",
  tag: "Destinations",
  summary: "Create a destination",
  description:
    "Sends events of the account to an address: as webhooks, to Slack or Teams, by e-mail, as CloudEvents, or as OpenTelemetry traces. Deliveries are signed and retried like callbacks. A destination without one success in 5 days is disabled.",
  auth: writer,
  body: jsonBody(createDestinationBody, {
    name: example.name,
    url: "https://receiver.example/prompthook",
    format: "standard",
    events: ["execution.failed", "endpoint.failing", "endpoint.recovered"],
    secret: "a-secret-of-yours-3xYz",
  }),
  response: jsonResponse(201, "The destination.", destinationRecord, example),
  problems: ["conflict", "unavailable"],
  async handler({ http, caller, body }) {
    const destinationId = randomId("dst_", ID_DIGITS);
    assertFields(body);
    const settings = await settingsFor(http, caller.accountId, { ...body, destinationId });
    const { name, format, events, payload, content } = body;
    const now = Date.now();
    const destination: StoredDestination = {
      destinationId,
      name,
      format,
      events: [...new Set(events)],
      payload,
      content,
      url: null,
      email: null,
      secret: null,
      sealedSecret: null,
      headers: [],
      sealedHeaders: null,
      ...settings,
      status: "enabled",
      origin: new URL(http.req.url).origin,
      failing: null,
      createdAt: now,
      updatedAt: now,
    };
    const reply = await callOnce(() =>
      accountStub(http.env, caller.accountId).addDestination(destination, actorOf(http, caller)),
    );
    if (reply.kind === "added") return { value: reply.record };
    throw new HttpProblem(
      "conflict",
      `The account has ${reply.limit} destinations, which is the limit. Delete one first.`,
    );
  },
});

const list = listRoute({
  path: DESTINATIONS,
  operationId: "listDestinations",
  tag: "Destinations",
  summary: "List destinations",
  description: "Returns the account's destinations, newest first.",
  auth: reader,
  items: "destinations",
  page: "DestinationPage",
  item: destinationRecord,
  example,
  async read({ http, caller: { accountId }, query: { limit } }, after) {
    return pageOf(await all(http, accountId), limit, after, ({ createdAt, destinationId }) => ({
      createdAt: Date.parse(createdAt),
      id: destinationId,
    }));
  },
});

const get = route({
  method: "GET",
  path: ONE,
  operationId: "getDestination",
  tag: "Destinations",
  summary: "Get a destination",
  description: "Returns a destination without its secrets.",
  auth: reader,
  params,
  response,
  problems: ["not_found"],
  async handler({ http, caller, params: { destinationId } }) {
    return { value: await find(http, caller.accountId, destinationId) };
  },
});

const update = route({
  method: "PATCH",
  path: ONE,
  operationId: "updateDestination",
  tag: "Destinations",
  summary: "Update a destination",
  description:
    "Changes the fields that are named. `headers` replaces all headers, and a `secret` of null removes it. The format cannot be changed.",
  auth: writer,
  params,
  body: jsonBody(updateDestinationBody, { events: ["execution.failed"] }),
  response: jsonResponse(200, "The destination.", destinationRecord, {
    ...example,
    events: ["execution.failed"],
  }),
  problems: ["not_found", "unavailable"],
  async handler({ http, caller, params: { destinationId }, body }) {
    const { accountId } = caller;
    const { format, url, email } = await find(http, accountId, destinationId);
    const { secret, headers, name, events, payload, content } = body;
    assertFields({
      format,
      url: body.url ?? url ?? undefined,
      email: body.email ?? email ?? undefined,
      events: events ?? [],
      secret: secret ?? undefined,
      headers: headers ?? {},
      content: content ?? false,
    });
    const change: DestinationChange = {
      ...(name !== undefined && { name }),
      ...(events !== undefined && { events: [...new Set(events)] }),
      ...(payload !== undefined && { payload }),
      ...(content !== undefined && { content }),
      ...(secret === null && { secret: null, sealedSecret: null }),
      ...(await settingsFor(http, caller.accountId, {
        ...body,
        destinationId,
        secret: secret ?? undefined,
      })),
      origin: new URL(http.req.url).origin,
    };
    return { value: await changed(http, caller, destinationId, change) };
  },
});

const remove = route({
  method: "DELETE",
  path: ONE,
  operationId: "deleteDestination",
  tag: "Destinations",
  summary: "Delete a destination",
  description: "Deletes a destination with its deliveries. What waited for it is not sent.",
  auth: writer,
  params,
  response: noContent("The destination is deleted."),
  problems: ["not_found"],
  async handler({ http, caller, params: { destinationId } }) {
    const isKnown = await callOnce(() =>
      accountStub(http.env, caller.accountId).removeDestination(
        destinationId,
        actorOf(http, caller),
      ),
    );
    if (!isKnown) throw notFound();
    return { value: undefined };
  },
});

const ping = route({
  method: "POST",
  path: `${ONE}/ping`,
  operationId: "pingDestination",
  tag: "Destinations",
  summary: "Send a test message",
  description:
    "Sends a message of the type `ping`. Its delivery shows what the receiver answered. `otlp` gets an empty trace.",
  auth: writer,
  params,
  response: delivery,
  problems: ["not_found", "conflict"],
  async handler({ http, caller: { accountId }, params: { destinationId } }) {
    await find(http, accountId, destinationId);
    const key = randomId("ping-", ID_DIGITS);
    const page = `/dashboard/destinations/${destinationId}`;
    const message = { key, type: "ping", at: Date.now(), page, data: { destinationId } };
    const account = () => accountStub(http.env, accountId);
    const deliveryId = await callWithRetry(() => account().sendTo({ destinationId }, message));
    if (deliveryId === null) {
      throw new HttpProblem("conflict", "The destination is disabled. Enable it first.");
    }
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
    path: `${ONE}/${action}`,
    operationId: isEnabled ? "enableDestination" : "disableDestination",
    tag: "Destinations",
    summary: isEnabled ? "Enable a destination" : "Disable a destination",
    description: isEnabled
      ? "The destination gets events from now on. Those that it missed can be redelivered if they were deliveries already."
      : "The destination gets nothing until it is enabled. What waits for it is dropped.",
    auth: writer,
    params,
    response,
    problems: ["not_found"],
    async handler({ http, caller, params: { destinationId } }) {
      const change: DestinationChange = isEnabled
        ? { status: "enabled", failing: null }
        : { status: "disabled", disabledReason: `Disabled by ${caller.by.name}.` };
      return { value: await changed(http, caller, destinationId, change) };
    },
  });
}

const deliveries = listRoute({
  path: `${ONE}/deliveries`,
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
  async read({ http, caller: { accountId }, params: { destinationId }, query: { limit } }, after) {
    // One more than requested shows whether there is a next page.
    const query = { limit: limit + 1, after: after?.id ?? null };
    const found = await callWithRetry(() =>
      accountStub(http.env, accountId).deliveriesTo(destinationId, query),
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
  path: `${ONE}/deliveries/:deliveryId/redeliver`,
  operationId: "redeliverToDestination",
  tag: "Destinations",
  summary: "Redeliver",
  description: "Delivers a message once more. Its `webhook-id` stays the same.",
  auth: writer,
  params: deliveryParams,
  response: delivery,
  problems: ["not_found", "conflict"],
  async handler({ http, caller: { accountId }, params: { destinationId, deliveryId } }) {
    const { status } = await find(http, accountId, destinationId);
    if (status === "disabled") {
      throw new HttpProblem("conflict", "The destination is disabled. Enable it first.");
    }
    const address = { destinationId, messageId: deliveryId };
    const owed = await callOnce(() => accountStub(http.env, accountId).redeliverTo(address));
    if (owed === null) throw notFound();
    return { value: owed };
  },
});

const all = (http: Http, accountId: string): Promise<DestinationRecord[]> =>
  callWithRetry(() => accountStub(http.env, accountId).listDestinations());

async function find(http: Http, accountId: string, destinationId: string) {
  const found = await all(http, accountId);
  const destination = found.find((each) => each.destinationId === destinationId);
  if (destination === undefined) throw notFound();
  return destination;
}

async function changed(
  http: Http,
  caller: Caller,
  destinationId: string,
  change: DestinationChange,
): Promise<DestinationRecord> {
  const record = await callOnce(() =>
    accountStub(http.env, caller.accountId).changeDestination(
      destinationId,
      change,
      actorOf(http, caller),
    ),
  );
  if (record === null) throw notFound();
  return record;
}

export const destinationRoutes = [
  create,
  list,
  get,
  update,
  remove,
  ping,
  statusRoute("enable"),
  statusRoute("disable"),
  deliveries,
  redeliver,
];
