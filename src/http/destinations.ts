import type * as z from "zod";
import { changedDestination, recordOf } from "../accounts/destinations.ts";
import { isAllowed } from "../agent/tools/send-email.ts";
import type { Authorized } from "../contract/account.ts";
import {
  type CreateDestination,
  createDestinationBody,
  type DestinationChange,
  type DestinationRecord,
  deliveryRecord,
  destinationContext,
  destinationRecord,
  type StoredDestination,
  updateDestinationBody,
} from "../contract/destinations.ts";
import { firstRevision, isIdentityChanged } from "../contract/revision.ts";
import { accountStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { isSameOrigin } from "../lib/http.ts";
import { firstOf } from "../lib/pages.ts";
import { isSealedAs } from "../lib/secrets.ts";
import { last4 } from "../lib/text.ts";
import { createMailer } from "../outbound/email/mailer.ts";
import { createServiceMailer } from "../outbound/email/service-mailer.ts";
import { assertAddress, sealSecret, serviceHosts } from "./agent-settings.ts";
import { apiKey } from "./authentication.ts";
import { sealHeaders, shownHeader } from "./connections.ts";
import type { Http } from "./context.ts";
import { assertRevision, externalIdTaken, namedRoutes } from "./external.ts";
import { listRoute, pageOf } from "./list.ts";
import { callWithRetry, conflict, foundOr404, invalid, notFound } from "./problem.ts";
import { callAccount, changeAccount, randomId, tooMany } from "./resource.ts";
import { jsonResponse, type Route, route } from "./route.ts";

type Fields = Pick<
  CreateDestination,
  "format" | "url" | "email" | "events" | "secret" | "headers" | "content"
>;

/** Throws a 400 for fields that do not fit the format. */
function assertFields({ format, url, email, events, secret, headers, content }: Fields): void {
  const isMail = format === "email";
  const target = isMail ? "email" : "url";
  if ((isMail ? email : url) === undefined) {
    throw invalid(target, "required", `is required for the format \`${format}\``);
  }
  const refused: [boolean, string][] = [
    [isMail && url !== undefined, "url"],
    [!isMail && email !== undefined, "email"],
    [format === "otlp" && events.length > 0, "events"],
    [secret !== undefined && format !== "standard" && format !== "cloudevents", "secret"],
    [["email", "slack", "teams"].includes(format) && Object.keys(headers).length > 0, "headers"],
    [content && format !== "otlp", "content"],
  ];
  const [, field] = refused.find(([isRefused]) => isRefused) ?? [];
  if (field !== undefined) {
    throw invalid(field, "format", `is not used by the format \`${format}\`; leave it out`);
  }
}

/** Returns what a body changes, as it is stored: the address checked, the secrets sealed. */
async function changeOf(
  http: Http,
  accountId: string,
  body: z.output<typeof updateDestinationBody> & { destinationId: string },
  before: StoredDestination | null,
): Promise<DestinationChange> {
  const { destinationId, externalId, managedBy, url, email, secret, headers } = body;
  const { name, events, payload, content } = body;
  const settings = settingsOf(http.env);
  const context = destinationContext(accountId, destinationId);
  // The same secret is no change.
  const isSame = (text: string, sealed: string | null = null) =>
    isSealedAs(text, sealed, settings.ENCRYPTION_KEY, context);
  if (email !== undefined) await assertRecipient(http, accountId, email);
  return {
    externalId,
    managedBy,
    ...(name !== undefined && { name }),
    ...(payload !== undefined && { payload }),
    ...(content !== undefined && { content }),
    ...(events !== undefined && { events: [...new Set(events)] }),
    ...(url !== undefined && {
      url: assertAddress("url", url, serviceHosts(http.req.url, settings), settings),
    }),
    ...(email !== undefined && { email }),
    ...(secret === null && { secret: null, sealedSecret: null }),
    ...(secret != null &&
      !(await isSame(secret, before?.sealedSecret)) && {
        secret: { set: true as const, last4: last4(secret) },
        sealedSecret: await sealSecret(secret, context, settings),
      }),
    ...(headers !== undefined &&
      !(await isSame(JSON.stringify(headers), before?.sealedHeaders)) && {
        headers: Object.entries(headers).map(([name, value]) => shownHeader(name, value)),
        sealedHeaders: await sealHeaders(headers, context, settings),
      }),
    origin: new URL(http.req.url).origin,
  };
}

/** Returns the destination of the account with an id. Throws a 404 for none. */
async function existingDestination(http: Http, accountId: string, id: string) {
  const found = await storedAt(http, accountId, id);
  if (found?.destinationId !== id) throw notFound();
  return found;
}

function storedAt({ env }: Http, accountId: string, id: string) {
  return callWithRetry(() => accountStub(env, accountId).destinationAt(id));
}

/** Has the account change a destination, and throws the problem of what it does not do. */
async function storeChange(
  http: Http,
  caller: Authorized,
  destinationId: string,
  change: DestinationChange,
  ifRevision?: number,
): Promise<DestinationRecord> {
  const reply = await changeAccount(http, caller, (account, actor) =>
    account.changeDestination(destinationId, change, actor, ifRevision),
  );
  if (reply === "taken") throw externalIdTaken(change.externalId ?? "");
  if (reply === "outdated") throw conflict("The destination was changed meanwhile. Try again.");
  return foundOr404(reply);
}

/** Throws a 400 for a recipient who is neither a member nor allowed by the operators. */
async function assertRecipient({ env }: Http, accountId: string, email: string): Promise<void> {
  const settings = settingsOf(env);
  if (createServiceMailer(env, settings) === null) {
    throw invalid("email", "email", "needs e-mail, which is not set up here; ask the operators");
  }
  const [members, overview] = await Promise.all([
    callWithRetry(() => accountStub(env, accountId).listMembers()),
    callWithRetry(() => accountStub(env, accountId).overview()),
  ]);
  const mailer = createMailer(settings, env.EMAIL, overview?.emailRecipients ?? null);
  const isMember = members.some((member) => member.email === email);
  if (isMember || mailer.route === "outbox" || isAllowed(email, mailer.allowedRecipients)) return;
  throw invalid("email", "recipient", "is not a member, and the operators do not allow it");
}

const DESTINATIONS = "/api/v1/destinations";
const reader = apiKey("destinations:read", "management");
const writer = apiKey("destinations:write", "management");

const delivery = jsonResponse(202, "The delivery.", deliveryRecord);

const ping = route("POST", `${DESTINATIONS}/:destinationId/ping`, {
  operationId: "pingDestination",
  summary: "Send a test message",
  description: "Sends a `ping`, or an empty trace to `otlp`. The delivery shows the response.",
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
    const at = new Date(message.at).toISOString();
    return { value: { deliveryId, type: "ping", at, state: "pending" as const, attempts: [] } };
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
  description: "Returns what was sent in the last 30 days, newest first, with each attempt.",
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
    return firstOf(foundOr404(found), limit, ({ at, deliveryId }) => ({
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
    return { value: foundOr404(owed) };
  },
});

const disabled = () => conflict("The destination is disabled. Enable it first.");

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
      "Changes the fields that are named. `headers` replaces all headers; a `url` on another host requires them again. A `secret` of null removes it. The format cannot be changed.",
    remove: "Deletes a destination with its deliveries. What waited for it is not sent.",
  },
  idOf: ({ destinationId }) => destinationId,
  existing: existingDestination,
  async find(http, accountId, externalId) {
    const found = await storedAt(http, accountId, externalId);
    return found?.externalId === externalId ? found : null;
  },
  shown: async (_, found) => recordOf(found),
  async page(http, { accountId }, limit, after) {
    const all = await callWithRetry(() => accountStub(http.env, accountId).listDestinations());
    return pageOf(all, limit, after, ({ createdAt, destinationId: id }) => ({
      createdAt: Date.parse(createdAt),
      id,
    }));
  },
  async create(http, caller, body, { dryRun }) {
    const { accountId } = caller;
    const destinationId = randomId("dst_");
    assertFields(body);
    const now = Date.now();
    const { name, format, events, payload, content } = body;
    const { revision, externalId, managedBy } = firstRevision(now, null, body);
    const destination: StoredDestination = {
      url: null,
      email: null,
      secret: null,
      sealedSecret: null,
      headers: [],
      sealedHeaders: null,
      ...(await changeOf(http, accountId, { ...body, destinationId }, null)),
      destinationId,
      name,
      format,
      payload,
      content,
      revision,
      externalId,
      managedBy,
      events: [...new Set(events)],
      status: "enabled",
      origin: new URL(http.req.url).origin,
      failing: null,
      createdAt: now,
      updatedAt: now,
    };
    if (dryRun) return recordOf(destination);
    const reply = await changeAccount(http, caller, (account, actor) =>
      account.addDestination(destination, actor),
    );
    if (reply.kind === "added") return recordOf(destination);
    if (reply.kind === "taken") throw externalIdTaken(externalId ?? "");
    throw tooMany("a destination", reply.limit);
  },
  async change(http, caller, id, body, application) {
    const before = await existingDestination(http, caller.accountId, id);
    assertRevision(application?.ifMatch ?? null, before.revision);
    assertFields({
      format: before.format,
      url: body.url ?? before.url ?? undefined,
      email: body.email ?? before.email ?? undefined,
      events: body.events ?? [],
      secret: body.secret ?? undefined,
      headers: body.headers ?? {},
      content: body.content ?? false,
    });
    const change = await changeOf(http, caller.accountId, { ...body, destinationId: id }, before);
    // A key that may change destinations must not get their headers, which it cannot read, at a host of its own.
    const isMoved = change.url && before.url && !isSameOrigin(change.url, before.url);
    if (before.headers.length > 0 && !body.headers && isMoved) {
      throw invalid("headers", "required", "is required with a `url` on another host");
    }
    const after = changedDestination(before, change);
    const changed = after.revision !== before.revision || isIdentityChanged(before, after);
    if (application !== null && (!changed || application.dryRun))
      return { value: recordOf(changed ? after : before), changed };
    const ifRevision = application === null ? undefined : before.revision;
    return { value: await storeChange(http, caller, id, change, ifRevision), changed };
  },
  replacement({ format, ...body }, before) {
    assertFields({ format, ...body });
    if (format === before.format) return { ...body, secret: body.secret ?? null };
    throw invalid("format", "format", `is \`${before.format}\` and cannot be changed`);
  },
  remove: async (http, caller, { destinationId }) =>
    void (await changeAccount(http, caller, (account, actor) =>
      account.removeDestination(destinationId, actor),
    )),
});

export const destinationRoutes = [
  ...named,
  ping,
  statusRoute("enable"),
  statusRoute("disable"),
  deliveries,
  redeliver,
];
