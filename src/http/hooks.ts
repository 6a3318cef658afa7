import * as z from "zod";
import { SYSTEM } from "../contract/actor.ts";
import { json } from "../contract/json.ts";
import type { ProblemCode } from "../contract/problem.ts";
import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import { hookAnswer } from "../contract/webhooks/log.ts";
import { MAX_MAX_BYTES } from "../contract/webhooks/validation.ts";
import { inboxStub } from "../durable/stubs.ts";
import { rememberEndpoint, resolveEndpoint } from "../endpoints/resolve.ts";
import { UnverifiedBudget } from "../endpoints/unverified.ts";
import { settingsOf } from "../env.ts";
import { type AcceptDependencies, acceptWebhook } from "../intake/accept.ts";
import { readBody } from "../intake/payload/body.ts";
import { openEndpoint } from "../intake/secrets.ts";
import {
  type Admission,
  type AdmitOptions,
  type Endpoint,
  type InboundRequest,
  SenderUnavailableError,
} from "../intake/types.ts";
import { shortEndpointId } from "../lib/log.ts";
import { regionOf } from "../lib/place.ts";
import { senderPort } from "../outbound/sender-port.ts";
import { loadByAddress } from "../records/endpoints.ts";
import { webhookSenders } from "./authentication.ts";
import type { Http } from "./context.ts";
import { answerOf, decidedBy, gone, type Received, suspended } from "./hook-answers.ts";
import { callWithRetry, notFound, secretsOr503, unavailable } from "./problem.ts";
import { jsonResponse, type Route } from "./route.ts";
import { changeExisting } from "./webhooks/config-updates.ts";
import { withAdoptedSecret } from "./webhooks/endpoints.ts";
import { otherEndpoints } from "./webhooks/other-endpoints.ts";

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

const unverified = new UnverifiedBudget();

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
    unverified: {
      take: (under, sourceIp) => unverified.take(under, sourceIp, env.UNVERIFIED, Date.now()),
    },
    async store([first, ...others]) {
      if (first === undefined) return [];
      const counting = { ...first, turnedAway: unverified.collect(endpointId) };
      if (others.length === 0) return [await callWithRetry(() => inbox().accept(counting))];
      return await callWithRetry(() => inbox().acceptBatch([counting, ...others]));
    },
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
    "Send the request to the endpoint's `url`. The endpoint's settings define its authentication and payload. Without a workflow the endpoint holds the request and answers `queued`. An endpoint with a `response` of its own sends that instead.",
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
      description:
        "The event came before, and starts nothing; the executionId is the first one's. Or a sender's handshake, answered as the sender documents.",
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
  description:
    "The query is the payload; a repeated parameter becomes an array. Otherwise like POST.",
  body: { content: null },
};

/** What the API document says of webhooks. */
export const hookRoutes = [byPost, byGet];
