import * as z from "zod";
import type { DeliveryOrder } from "../contract/callbacks.ts";
import { type DestinationOrder, destinationContext } from "../contract/destinations.ts";
import { type JsonObject, jsonObject } from "../contract/json.ts";
import { sessionHostStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { within } from "../lib/async.ts";
import { logError } from "../lib/log.ts";
import { createServiceMailer } from "../outbound/email/service-mailer.ts";
import { type Answer, type DeliveryDeps, deliver, unanswered } from "./deliver.ts";
import { type Content, contentOf, type Event, noticeOf, plainText } from "./formats.ts";

const READ_TIMEOUT_MS = 10_000;
const headerRecord = z.record(z.string(), z.string());
const executionIds = z.object({ executionId: z.string() });

/** Makes one attempt to deliver a message to a destination. Never throws: the answer contains the error. */
export async function deliverTo(
  order: DestinationOrder,
  env: CloudflareEnv,
  deps: DeliveryDeps,
): Promise<Answer> {
  try {
    const { format } = order.to;
    if (format === "email") return await mail(order, env);
    const content =
      format === "otlp"
        ? await traceContent(order, env)
        : contentOf(format, await eventOf(order, env));
    const prepared = await prepare(order, content, deps);
    return typeof prepared === "string" ? unanswered(prepared) : await deliver(prepared, deps);
  } catch (error) {
    logError("delivery not prepared", { destinationId: order.to.destinationId }, error);
    return unanswered("The delivery could not be prepared.");
  }
}

async function mail(order: DestinationOrder, env: CloudflareEnv): Promise<Answer> {
  const mailer = createServiceMailer(env, settingsOf(env));
  if (mailer === null) return unanswered("This service has no e-mail set up.");
  const notice = noticeOf(await eventOf(order, env));
  const text = plainText(notice);
  const to = order.to.email ?? "";
  const sent = await mailer.send({ to, subject: notice.title, text, id: order.webhookId });
  if (sent.kind !== "sent") return unanswered(sent.reason);
  return { status: null, error: null, retryAfterMs: null };
}

/** Returns the request of a message, or why there can be none. */
async function prepare(
  order: DestinationOrder,
  content: Content,
  deps: DeliveryDeps,
): Promise<DeliveryOrder | string> {
  const { to, webhookId, accountId } = order;
  const context = destinationContext(accountId, to.destinationId);
  const sealed = to.sealedHeaders;
  const opened = sealed === null ? "{}" : await deps.openSecret(sealed, context);
  if (opened === null) return "The headers of the destination cannot be read.";
  const headers = headerRecord.parse(JSON.parse(opened));
  return {
    webhookId,
    url: to.format === "otlp" ? tracesUrl(to.url ?? "") : (to.url ?? ""),
    sealedSecret: to.sealedSecret,
    context,
    headers: { ...headers, "content-type": content.type },
    body: JSON.stringify(content.body),
    serviceHosts: [],
  };
}

/** Returns the trace of the execution that a message is about; a test has none. */
async function traceContent(
  { accountId, message, to }: DestinationOrder,
  env: CloudflareEnv,
): Promise<Content> {
  const type = "application/json";
  const ids = executionIds.safeParse(message.data);
  if (!ids.success) return { type, body: NO_TRACE };
  const { executionId } = ids.data;
  const host = sessionHostStub(env, accountId, executionId);
  const asked = host.otlpTrace(executionId, { content: to.content });
  const reply = await within("the session", READ_TIMEOUT_MS, asked);
  return { type, body: reply.kind === "found" ? reply.request : NO_TRACE };
}

const NO_TRACE = { resourceSpans: [] };

/** Returns the event of a message, with the record where the destination takes it. */
async function eventOf(order: DestinationOrder, env: CloudflareEnv): Promise<Event> {
  const { webhookId, message, to } = order;
  const origin = message.origin ?? to.origin;
  const full = to.payload === "full" ? await recordOf(order, env) : {};
  const data = { ...message.data, ...full, url: `${origin}${message.page}` };
  return { id: webhookId, origin, message, data };
}

async function recordOf(
  { accountId, message }: DestinationOrder,
  env: CloudflareEnv,
): Promise<JsonObject> {
  const ids = executionIds.safeParse(message.data);
  if (message.full !== undefined) return message.full;
  if (!message.type.startsWith("execution.") || !ids.success) return {};
  const { executionId } = ids.data;
  const host = sessionHostStub(env, accountId, executionId);
  const asked = host.result(executionId, { partial: true });
  const reply = await within("the session", READ_TIMEOUT_MS, asked);
  // What is undefined has no place in JSON.
  return reply.kind === "ready" ? jsonObject.parse(JSON.parse(JSON.stringify(reply.result))) : {};
}

function tracesUrl(url: string): string {
  const target = new URL(url);
  const path = target.pathname.replace(/\/+$/, "");
  target.pathname = path.endsWith("/v1/traces") ? path : `${path}/v1/traces`;
  return target.href;
}
