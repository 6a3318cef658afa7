import * as z from "zod";
import { SYSTEM } from "../contract/actor.ts";
import { json } from "../contract/json.ts";
import { type ProblemCode, violationLine } from "../contract/problem.ts";
import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import { type AnsweredItem, type HookAnswer, hookAnswer } from "../contract/webhooks/log.ts";
import { isBefore } from "../contract/webhooks/payload.ts";
import { MAX_MAX_BYTES } from "../contract/webhooks/validation.ts";
import { inboxStub } from "../durable/stubs.ts";
import { rememberEndpoint, resolveEndpoint } from "../endpoints/resolve.ts";
import { unverifiedBudget } from "../endpoints/unverified.ts";
import { settingsOf } from "../env.ts";
import {
  type AcceptDependencies,
  type AcceptResult,
  acceptWebhook,
  type Decided,
  type FinalReceipt,
} from "../intake/accept.ts";
import { answerTo } from "../intake/answer.ts";
import { readBody } from "../intake/payload/body.ts";
import { openEndpoint } from "../intake/secrets.ts";
import type {
  Admission,
  AdmitOptions,
  Endpoint,
  InboundRequest,
  Refusal,
} from "../intake/types.ts";
import { shortEndpointId } from "../lib/log.ts";
import { regionOf } from "../lib/place.ts";
import { senderPort } from "../outbound/sender-port.ts";
import { SenderUnavailableError } from "../ports/webhooks.ts";
import { loadByAddress } from "../records/endpoints.ts";
import { webhookSenders } from "./authentication.ts";
import type { Http } from "./context.ts";
import { callWithRetry, HttpProblem, notFound, secretsOr503, unavailable } from "./problem.ts";
import { jsonResponse, type Route } from "./route.ts";
import { changeExisting } from "./webhooks/config-updates.ts";
import { withAdoptedSecret } from "./webhooks/endpoints.ts";
import { otherEndpoints } from "./webhooks/resource.ts";

const HOOKS_PREFIX = "/hooks/";

/** The path of inbound webhooks, for any method. */
export const HOOKS = `${HOOKS_PREFIX}*`;

/** Handles a webhook: resolves its endpoint, admits and accepts it, and answers its sender. */
export async function handleWebhook(http: Http): Promise<Response> {
  const receivedAt = Date.now();
  const url = new URL(http.req.raw.url);
  const address = addressIn(url.pathname);
  const endpoint = await callWithRetry(() => secretsOr503(resolveEndpoint(http.env, address)));
  if (endpoint === null) throw notFound();
  const { endpointId, accountId, deleted } = endpoint.config;
  http.set("subject", { accountId, endpointId: shortEndpointId(endpointId) });
  if (deleted) throw gone();
  const { raw } = http.req;
  const tlsVersion = raw.cf?.tlsVersion;
  const request: InboundRequest = {
    method: raw.method,
    url,
    headers: raw.headers,
    body: await readBody(raw, endpoint.config.validation.maxBytes),
    sourceIp: raw.headers.get("CF-Connecting-IP"),
    tlsVersion: typeof tlsVersion === "string" && tlsVersion !== "" ? tlsVersion : null,
    receivedAt,
  };
  const received = await receive(http, endpoint, request, { address });
  return answerOf(received, http.get("requestId"), request.headers);
}

/**
 * Admits a request and passes it to the endpoint's inbox. `address` is what names the endpoint, its id or
 * path. Throws the problem of an endpoint that takes none.
 */
export async function receive(
  http: Http,
  endpoint: Endpoint,
  request: InboundRequest,
  { address, ...admitting }: { address: string } & Pick<AdmitOptions, "skip">,
): Promise<Received> {
  const settings = settingsOf(http.env);
  const sender = senderPort(settings);
  const others = () => otherEndpoints(http.env, endpoint.config);
  const options = { minTlsVersion: settings.MIN_TLS_VERSION, sender, others, ...admitting };
  const dependencies = dependenciesOf(http, endpoint.config, address);
  const requestId = http.get("requestId");
  const accepting = acceptWebhook(endpoint, request, requestId, options, dependencies);
  const received = await accepting.catch((error: unknown) => {
    throw error instanceof SenderUnavailableError ? unavailable(error.message) : error;
  });
  const decided = decidedBy(received);
  const { receipt, admission } = decided.first;
  const executionId = "executionId" in receipt ? receipt.executionId : null;
  if (executionId !== null) http.get("subject").executionId = executionId;
  if (receipt.kind === "noted") await adoptSecret(http, endpoint.config, admission);
  return decided;
}

/**
 * Returns the part of the path that names the endpoint, case preserved. Decodes only unreserved
 * characters (RFC 3986, section 2.3), because some clients write `~` as `%7E`; a `%2F` stays as it is.
 */
function addressIn(pathname: string): string {
  return pathname
    .slice(HOOKS_PREFIX.length)
    .replace(/%(?:2d|2e|5f|7e|3\d|[46][1-9a-f]|[57][0-9a])/gi, (escaped) =>
      decodeURIComponent(escaped),
    );
}

/** Calls to the inbox are retried: it recognises a request by its id. */
function dependenciesOf(
  { env, req: { raw } }: Http,
  config: EndpointConfig,
  address: string,
): AcceptDependencies {
  const { endpointId } = config;
  const sender = regionOf(raw.cf);
  const inbox = () => inboxStub(env, endpointId, sender);
  return {
    unverified: unverifiedBudget(env.UNVERIFIED),
    store: (arrivals) => callWithRetry(() => inbox().acceptBatch(arrivals)),
    async configure() {
      // D1 has the last word: an endpoint that was erased must not come back from an isolate's cache.
      const stored = await callWithRetry(() => loadByAddress(env.DB, endpointId));
      if (stored === null) throw notFound();
      if (stored.account.suspended) throw suspended();
      await callWithRetry(() => inbox().configure(stored));
    },
    newRequestId: () => crypto.randomUUID(),
    async open(newer) {
      const endpoint = await secretsOr503(openEndpoint(newer, settingsOf(env)));
      rememberEndpoint(endpoint);
      // The path may belong to another endpoint by now: the next request resolves it again.
      if (address !== endpointId && (newer.deleted || address !== newer.path))
        throw unavailable("The address of the endpoint has just changed. Try again shortly.");
      return endpoint;
    },
  };
}

/** Stores the signing secret that the sender has chosen, before the answer tells it so. */
async function adoptSecret(
  http: Http,
  { accountId, endpointId }: EndpointConfig,
  { verdict }: Admission,
): Promise<void> {
  const secret = verdict.kind === "handshake" ? verdict.answer.adopt : undefined;
  if (secret === undefined) return;
  const settings = settingsOf(http.env);
  await changeExisting(http, { accountId, ...SYSTEM }, endpointId, (before, now) =>
    withAdoptedSecret(before, secret, { endpointId, settings, now }),
  );
}

const PROBLEM_CODES: ProblemCode[] = [
  "malformed_json",
  "unauthorized",
  "stale_request",
  "ip_not_allowed",
  "not_found",
  "method_not_allowed",
  "request_timeout",
  "gone",
  "payload_too_large",
  "unsupported_media_type",
  "validation_failed",
  "mapping_failed",
  "rate_limited",
  "unavailable",
];

/** Their paths, methods and bodies are each endpoint's own. */
const byPost: Route = {
  method: "POST",
  path: `${HOOKS_PREFIX}:endpointId`,
  operationId: "receiveWebhook",
  tag: "Webhooks",
  summary: "Send an event to an endpoint",
  description:
    "Send the request to the endpoint's `url`. The endpoint's settings define its authentication and payload. Without a workflow or routes the endpoint holds the request and answers `queued`, or `logged` if it only logs it. An endpoint with a `response` of its own sends that instead.",
  auth: webhookSenders,
  params: z.object({
    endpointId: z.string().describe("The id of the endpoint, or its custom path."),
  }),
  query: z.object({}),
  body: {
    content: {
      schema: json,
      required: false,
      example: { id: "evt_1", order: { id: 1007, total: 12.5 } },
      maxBytes: MAX_MAX_BYTES,
    },
  },
  response: jsonResponse(202, "Accepted and stored durably.", hookAnswer),
  otherResponses: [
    {
      status: 200,
      description: "A duplicate, with the first one's executionId, or a sender's handshake.",
      content: { "application/json": { schema: hookAnswer } },
    },
  ],
  problems: PROBLEM_CODES,
  handle: handleWebhook,
};

const byGet: Route = {
  ...byPost,
  method: "GET",
  operationId: "receiveWebhookByGet",
  summary: "Send an event to an endpoint that takes GET",
  description: "The query is the payload, a repeated parameter an array. Otherwise like POST.",
  body: { content: null },
};

/** What the API document says of webhooks. */
export const hookRoutes = [byPost, byGet];

/** A request that its inbox has logged, or the items of a batch. */
export type Received = Extract<AcceptResult, { kind: "decided" }>;

/** Senders give up after some hours or days; a suspension rarely ends sooner than after one. */
const SUSPENDED_RETRY_SECONDS = 3_600;

const suspended = () =>
  unavailable("The account of this endpoint is suspended.", SUSPENDED_RETRY_SECONDS);
const gone = () => new HttpProblem("gone", "The endpoint is deleted.");

/** Returns a request that its inbox has logged. Throws the problem of an endpoint that takes none. */
export function decidedBy(taken: AcceptResult): Received {
  switch (taken.kind) {
    case "decided":
      return taken;
    case "gone":
      throw gone();
    case "suspended":
      throw suspended();
    case "unsettled":
      throw unavailable("The endpoint is being changed. Try again shortly.");
  }
}

/**
 * Returns the response to a request that its inbox has logged under this id. Throws the problem of a refused
 * one, and of a batch all of whose items are.
 */
function answerOf(received: Received, requestId: string, headers: Headers): Response {
  const { admission, receipt, request } = received.first;
  const { verdict } = admission;
  if (verdict.kind === "refuse" && isBefore(verdict.refusal.stage, "rate")) {
    throw refusalProblem(verdict.refusal);
  }
  if (receipt.kind === "rate_limited" || receipt.kind === "full") throw overLimit(receipt);
  if (verdict.kind === "handshake" && verdict.answer.isUsual !== true) {
    const { status, contentType, body, headers: own = {} } = verdict.answer;
    // A 204 has no body, not even an empty one.
    const content = body === "" ? null : body;
    return new Response(content, { status, headers: { "Content-Type": contentType, ...own } });
  }
  const isBatch = request.batch != null || verdict.kind === "handshake";
  const json = isBatch ? batchAnswer(received, requestId) : usualAnswer(received.first);
  const status = json.status === "duplicate" ? 200 : 202;
  const { body, ...init } = answerTo(received.config.response, { status, json, headers });
  return new Response(body, init);
}

/** Returns what the sender of a request gets that is accepted. Throws the problem of a refused one. */
function usualAnswer({ request, admission, receipt }: Decided): HookAnswer {
  const { requestId } = request;
  if (admission.verdict.kind === "refuse") throw refusalProblem(admission.verdict.refusal);
  switch (receipt.kind) {
    case "accepted": {
      const { executionId, duplicate } = receipt;
      return { requestId, status: statusOf(receipt), executionId, duplicate };
    }
    case "duplicate":
      return { requestId, status: "duplicate", executionId: receipt.executionId, duplicate: true };
    case "full":
    case "rate_limited":
    case "noted":
      throw new Error(`unexpected receipt for an accepted request: ${receipt.kind}`);
  }
}

const STATUSES = ["accepted", "queued", "unrouted", "logged", "duplicate"] as const;

/** Returns what the sender of a batch gets. Throws the problem of the first item if all are refused. */
function batchAnswer({ first, others }: Received, requestId: string): HookAnswer {
  const nothing = { requestId, executionId: null, duplicate: false };
  if (first.request.batch == null) return { ...nothing, status: "accepted", requests: [] };
  const requests = [first, ...others].map(answeredItem);
  const status = STATUSES.find((one) => requests.some((item) => item.status === one));
  if (status === undefined) return usualAnswer(first);
  const main = requests.find((item) => item.status === status);
  const { executionId, duplicate } = main ?? nothing;
  return { requestId, status, executionId, duplicate, requests };
}

function answeredItem(item: Decided): AnsweredItem {
  const { verdict } = item.admission;
  if (verdict.kind !== "refuse") return usualAnswer(item);
  const { requestId } = item.request;
  const errors = verdict.refusal.errors.slice(0, MAX_ERRORS);
  return { requestId, status: "rejected", executionId: null, duplicate: false, errors };
}

/** Returns what a response says about an accepted request. */
export function statusOf({
  executionId,
  isUnrouted = false,
  isLogged = false,
}: Pick<Extract<FinalReceipt, { kind: "accepted" }>, "executionId" | "isUnrouted" | "isLogged">) {
  if (isLogged) return "logged";
  if (isUnrouted) return "unrouted";
  return executionId === null ? "queued" : "accepted";
}

/** Details for senders that are not authenticated: what to do, and nothing about the endpoint. */
const PUBLIC_DETAIL: Partial<Record<ProblemCode, string>> = {
  https_required: "Send requests over HTTPS with a current TLS version.",
  method_not_allowed: "The endpoint does not allow this method.",
  ip_not_allowed: "The endpoint does not allow requests from this IP address.",
  payload_too_large: "The body exceeds the size limit of the endpoint.",
  unsupported_media_type: "The endpoint does not support this Content-Type or Content-Encoding.",
  unauthorized: "The request lacks the credentials that the endpoint requires.",
};

const MAX_ERRORS = 50;

/** Returns the problem of a request over a limit of its endpoint or account, or that nobody has room to hold. */
export function overLimit(receipt: Extract<FinalReceipt, { kind: "rate_limited" | "full" }>) {
  const { detail = "The endpoint has reached its limit of requests per minute." } = receipt;
  const retryAfterSeconds = receipt.kind === "full" ? 60 : receipt.retryAfterSeconds;
  return new HttpProblem("rate_limited", detail, { retryAfterSeconds });
}

/** Returns the problem of a refusal, with its errors only if the sender is authenticated. */
export function refusalProblem({ stage, code, errors, headers }: Refusal): HttpProblem {
  // A disabled endpoint looks like an unknown one.
  if (stage === "endpoint") return notFound();
  if (!isBefore("signature", stage)) {
    const detail = PUBLIC_DETAIL[code] ?? "The endpoint rejects this request.";
    return new HttpProblem(code, detail, { headers });
  }
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const detail = `${first ? violationLine(first) : "The request is rejected."}${more}`;
  const violations = errors
    .slice(0, MAX_ERRORS)
    .map(({ path = "", rule, message }) => ({ path, rule, message }));
  return new HttpProblem(code, detail, { errors: violations, headers });
}
