import type { EndpointConfig } from "../contract/inbound/endpoint.ts";
import { inboxStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { findEndpoint, rememberEndpoint } from "../inbound/directory.ts";
import { openEndpoint } from "../inbound/open-endpoint.ts";
import { readBody } from "../inbound/payload/body.ts";
import { InflationBusyError } from "../inbound/payload/inflate.ts";
import { receive, type Surroundings } from "../inbound/receive.ts";
import type { Settled } from "../inbound/take-in.ts";
import type { Endpoint, InboundRequest } from "../inbound/types.ts";
import { shortEndpointId } from "../lib/log.ts";
import { callWithRetry, secretsOr503 } from "./call-with-retry.ts";
import type { Http } from "./context.ts";
import { answerOf } from "./hook-answer.ts";
import { HttpProblem, notFound, unavailable } from "./problem.ts";

export const HOOKS_PREFIX = "/hooks/";

/** Where webhooks come in, by any method. */
export const HOOKS = `${HOOKS_PREFIX}*`;

/** Takes in a webhook. Its judgement is the endpoint's own, so none of the routes' guards stands here. */
export async function receiveHook(http: Http): Promise<Response> {
  const receivedAt = Date.now();
  const url = new URL(http.req.raw.url);
  const address = addressIn(url.pathname);
  const endpoint = await callWithRetry(() => secretsOr503(findEndpoint(http.env, address)), {
    idempotent: true,
  });
  if (endpoint === null) throw notFound();
  const { endpointId, accountId, deleted } = endpoint.config;
  http.set("subject", { accountId, endpointId: shortEndpointId(endpointId) });
  if (deleted) throw gone();
  const request = await readRequest(http.req.raw, url, endpoint, receivedAt);
  const requestId = http.get("requestId");
  const options = { minTlsVersion: settingsOf(http.env).MIN_TLS_VERSION };
  const surroundings = surroundingsOf(http, endpoint.config, address);
  const received = await unlessBusy(receive(endpoint, request, requestId, options, surroundings));
  switch (received.kind) {
    case "decided":
      noteExecution(http, received.receipt);
      return answerOf(received.admission, received.receipt, requestId);
    case "gone":
      throw gone();
    case "unsettled":
      throw unavailable("The endpoint is being changed. Try again shortly.");
  }
}

function noteExecution(http: Http, receipt: Settled): void {
  const executionId = "executionId" in receipt ? receipt.executionId : null;
  if (executionId !== null) http.get("subject").executionId = executionId;
}

/**
 * What names the endpoint: the path as it stands, case and all. Only what RFC 3986 section 2.3 calls
 * the same either way is decoded, as some clients write `~` as `%7E`; a `%2F` stays, and leads nowhere.
 */
function addressIn(pathname: string): string {
  return pathname
    .slice(HOOKS_PREFIX.length)
    .replace(/%(?:2d|2e|5f|7e|3\d|[46][1-9a-f]|[57][0-9a])/gi, (escaped) =>
      decodeURIComponent(escaped),
    );
}

async function readRequest(
  raw: Http["req"]["raw"],
  url: URL,
  { config }: Endpoint,
  receivedAt: number,
): Promise<InboundRequest> {
  const tlsVersion = raw.cf?.tlsVersion;
  return {
    method: raw.method,
    url,
    headers: raw.headers,
    body: await readBody(raw, config.validation.maxBytes),
    sourceIp: raw.headers.get("CF-Connecting-IP"),
    tlsVersion: typeof tlsVersion === "string" && tlsVersion !== "" ? tlsVersion : null,
    receivedAt,
  };
}

/** The inbox knows a request by its id: a call that was lost on its way is made again. */
function surroundingsOf(
  { env }: Http,
  { endpointId }: EndpointConfig,
  address: string,
): Surroundings {
  return {
    inbox: {
      accept: (arrival) =>
        callWithRetry(() => inboxStub(env, endpointId).accept(arrival), { idempotent: true }),
      configure: (config) =>
        callWithRetry(() => inboxStub(env, endpointId).configure(config), { idempotent: true }),
    },
    async open(config) {
      const endpoint = await secretsOr503(openEndpoint(config, settingsOf(env)));
      rememberEndpoint(endpoint);
      // The path may be somebody else's by now: what comes next finds whose it is.
      if (address !== endpointId && (config.deleted || address !== config.path)) throw moved();
      return endpoint;
    },
  };
}

async function unlessBusy<Received>(receiving: Promise<Received>): Promise<Received> {
  try {
    return await receiving;
  } catch (error) {
    if (!(error instanceof InflationBusyError)) throw error;
    throw unavailable("Too many compressed requests arrive. Try again shortly.");
  }
}

const moved = () => unavailable("The address has just been given up. Try again shortly.");
const gone = () => new HttpProblem("gone", "The endpoint was deleted.");
