import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type { PayloadValue } from "../contract/webhooks/payload.ts";
import { isObject } from "../lib/json-values.ts";
import { readPath } from "./mapping/payload-path.ts";
import { payloadOf } from "./payload/parse.ts";
import { matchesAny, validValues } from "./secrets.ts";
import type { Challenge } from "./signatures/presets/preset.ts";
import { senderOf } from "./signatures/presets.ts";
import type { ChallengeAnswer, Endpoint, InboundRequest } from "./types.ts";

/** The verdict on a request by which a sender checks the address, without token and signature. */
export type Handshake =
  | { kind: "none" }
  | { kind: "answered"; answer: ChallengeAnswer }
  | { kind: "refused"; path: string; rule: string; message: string };

const EMPTY = { status: 200, contentType: "text/plain", body: "" };
const NONE: Handshake = { kind: "none" };

/** Visible ASCII, so that no browser renders it as a page, and at most as long as senders' own. */
const CHALLENGE = /^[\x20-\x7e]{1,1000}$/;
/** Bytes of a body that may be a handshake. */
const MAX_BYTES = 4_096;

/** Whether the text may be sent back to the sender. */
export function isChallenge(text: unknown): text is string {
  return typeof text === "string" && CHALLENGE.test(text);
}

/** Returns an answer in plain text that repeats a challenge; null if the text is none. */
export function repeated(text: unknown): ChallengeAnswer | null {
  if (!isChallenge(text)) return null;
  return { status: 200, contentType: "text/plain; charset=utf-8", body: text };
}

/** Returns an answer in JSON. */
export function jsonAnswer(value: object): ChallengeAnswer {
  return { status: 200, contentType: "application/json", body: JSON.stringify(value) };
}

/** Whether the endpoint's sender checks addresses in this way. */
export function checksBy({ auth }: EndpointConfig, challenge: Challenge): boolean {
  return senderOf(auth)?.challenges?.includes(challenge) ?? false;
}

/**
 * Whether a request checks the address by a method that is no event's: HEAD, OPTIONS of CloudEvents, or
 * the GET of a sender whose events are POSTs.
 */
export function isProbe(config: EndpointConfig, { method, url, headers }: InboundRequest): boolean {
  switch (method) {
    case "HEAD":
      return checksBy(config, "head");
    case "OPTIONS":
      return headers.has(ORIGIN) && permitsCloudEvents(config);
    case "GET":
      return (
        (checksBy(config, "hub") && hubText(method, url) !== null) ||
        (checksBy(config, "dropbox") && url.searchParams.has("challenge")) ||
        (checksBy(config, "okta") && headers.has("X-Okta-Verification-Challenge"))
      );
    default:
      return false;
  }
}

/** Answers a request by which a sender checks the address before it signs or sends a token. */
export async function handshake(endpoint: Endpoint, request: InboundRequest): Promise<Handshake> {
  const { config } = endpoint;
  const { method, url, headers } = request;
  if (method === "HEAD" && isProbe(config, request)) return answered(EMPTY);
  if (method === "OPTIONS" && isProbe(config, request)) return permission(config, headers);
  if (method === "GET" && checksBy(config, "dropbox") && url.searchParams.has("challenge")) {
    return answered(repeated(url.searchParams.get("challenge")));
  }
  if (method === "GET") return await hubHandshake(endpoint, request);
  if (checksBy(config, "microsoft-graph") && url.searchParams.has("validationToken")) {
    return answered(repeated(url.searchParams.get("validationToken")));
  }
  if (checksBy(config, "asana") && headers.has(HOOK_SECRET)) return asanaHandshake(config, headers);
  return await bodyHandshake(config, request);
}

function answered(answer: ChallengeAnswer | null): Handshake {
  return answer === null
    ? refused(
        "challenge",
        "challenge",
        "The challenge must be visible ASCII of at most 1,000 characters.",
      )
    : { kind: "answered", answer };
}

function refused(path: string, rule: string, message: string): Handshake {
  return { kind: "refused", path, rule, message };
}

const ORIGIN = "WebHook-Request-Origin";

/** Any sender may use CloudEvents where no preset names one. */
function permitsCloudEvents(config: EndpointConfig): boolean {
  return senderOf(config.auth) === null || checksBy(config, "cloudevents");
}

// https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md#4-abuse-protection
function permission({ requestsPerMinute }: EndpointConfig, headers: Headers): Handshake {
  const origin = headers.get(ORIGIN);
  if (!isChallenge(origin)) return NONE;
  return answered({
    ...EMPTY,
    headers: {
      Allow: "POST",
      "WebHook-Allowed-Origin": origin,
      "WebHook-Allowed-Rate": String(requestsPerMinute),
    },
  });
}

/**
 * Verifies a GET with `hub.mode` and `hub.challenge` (WebSub; Meta adds `hub.verify_token`, which must be
 * the endpoint's token). An endpoint without token and signature answers any.
 */
async function hubHandshake(endpoint: Endpoint, request: InboundRequest): Promise<Handshake> {
  const text = hubText(request.method, request.url);
  if (text === null) return NONE;
  const answer = repeated(text);
  const flaw = (message: string) => refused("hub.challenge", "hub_challenge", message);
  if (answer === null) {
    return flaw("hub.challenge must be visible ASCII of at most 1,000 characters.");
  }
  if (endpoint.token !== null) {
    const given = request.url.searchParams.get("hub.verify_token") ?? "";
    return (await matchesAny([given], validValues(endpoint.token, request.receivedAt)))
      ? answered(answer)
      : flaw("hub.verify_token is not the endpoint's token.");
  }
  if (endpoint.hmac !== null || endpoint.config.auth.signature) {
    return flaw(
      "A hub.challenge has no signature. Set auth.token and send it as hub.verify_token.",
    );
  }
  return answered(answer);
}

/** Returns `hub.challenge` of a GET that verifies a subscription, or null. */
export function hubText(method: string, url: URL): string | null {
  if (method !== "GET") return null;
  const mode = url.searchParams.get("hub.mode");
  return mode === "subscribe" || mode === "unsubscribe"
    ? url.searchParams.get("hub.challenge")
    : null;
}

const HOOK_SECRET = "X-Hook-Secret";

// https://developers.asana.com/docs/webhooks-guide#the-webhook-handshake
function asanaHandshake({ auth }: EndpointConfig, headers: Headers): Handshake {
  const secret = headers.get(HOOK_SECRET) ?? "";
  if (!/^[\x21-\x7e]{16,512}$/.test(secret)) {
    return refused(
      HOOK_SECRET,
      "challenge",
      "The secret must be 16 to 512 visible ASCII characters.",
    );
  }
  if (auth.hmac?.awaitsSecret !== true) {
    return refused(
      HOOK_SECRET,
      "challenge",
      "The endpoint has a secret already. Create an endpoint for each webhook.",
    );
  }
  return answered({
    ...EMPTY,
    headers: { [HOOK_SECRET]: secret },
    adopt: secret,
  });
}

/** Answers a small body that only checks the address. An event has further members. */
async function bodyHandshake(config: EndpointConfig, request: InboundRequest): Promise<Handshake> {
  const senders = (["monday", "notion", "salesforce", "woocommerce"] as const).filter((one) =>
    checksBy(config, one),
  );
  const { body } = request;
  if (senders.length === 0 || body.kind !== "whole" || body.raw.length > MAX_BYTES) return NONE;
  const payload = await payloadOf(request);
  if (payload === undefined || !isObject(payload)) return NONE;
  const has = (...names: string[]): boolean =>
    Object.keys(payload).length === names.length && names.every((name) => isText(payload, name));
  // https://developer.monday.com/api-reference/reference/webhooks#url-verification
  if (senders.includes("monday") && has("challenge")) {
    return answered(jsonAnswer({ challenge: readPath(payload, "challenge") }));
  }
  // The owner copies the token from the log: https://developers.notion.com/reference/webhooks, and the key:
  // https://developer.salesforce.com/docs/marketing/marketing-cloud/guide/ens-callback-verification.html
  const isNoted =
    (senders.includes("notion") && has("verification_token")) ||
    (senders.includes("salesforce") && has("callbackId", "verificationKey")) ||
    // The ping on saving: WC_Webhook::deliver_ping() sends a form without a signature.
    (senders.includes("woocommerce") && has("webhook_id"));
  return isNoted ? answered(EMPTY) : NONE;
}

const isText = (payload: PayloadValue, name: string): boolean =>
  isChallenge(readPath(payload, name));
