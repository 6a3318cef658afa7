import type { PayloadObject, PayloadValue } from "../contract/inbound/payload.ts";
import { toHex } from "../lib/encoding.ts";
import { isObject } from "../lib/json-values.ts";
import { matchesAny, validValues } from "./secrets.ts";
import { hmac, importKey } from "./signatures/hmac.ts";
import { presetOf } from "./signatures/presets.ts";
import { verifySignature } from "./signatures/verify.ts";
import type { ChallengeAnswer, Endpoint, InboundRequest } from "./types.ts";

/** Visible ASCII, so that no browser renders it as a page, and at most as long as providers' own. */
const CHALLENGE = /^[\x20-\x7e]{1,1000}$/;

const encoder = new TextEncoder();

/** The verdict on a GET with `hub.challenge`, which has no signature. */
export type HubChallenge =
  | { kind: "none" }
  | { kind: "verified"; answer: ChallengeAnswer }
  | { kind: "refused"; message: string };

/**
 * Returns the answer to a provider that verifies the address, in a request that passed all checks before;
 * null if the request is no challenge.
 */
export async function challengeAnswer(
  endpoint: Endpoint,
  request: InboundRequest,
  payload: PayloadValue | null,
): Promise<ChallengeAnswer | null> {
  const hub = hubText(request);
  if (hub !== null) return plain(hub);
  const hmacAuth = endpoint.config.auth.hmac;
  const preset = hmacAuth?.preset ?? null;
  // Slack's challenge needs no secret, so endpoints with other authentication answer it as well.
  const kind = preset === null ? "slack" : presetOf(preset).challenge;
  if (kind === null || !isObject(payload)) return null;
  if (kind === "slack") return slackAnswer(payload);
  if (kind === "twitch") return twitchAnswer(request, payload);
  return zoomAnswer(endpoint, request, payload);
}

// https://docs.slack.dev/reference/events/url_verification
function slackAnswer(payload: PayloadObject): ChallengeAnswer | null {
  return field(payload, "type") === "url_verification" ? plain(field(payload, "challenge")) : null;
}

// https://dev.twitch.tv/docs/eventsub/handling-webhook-events/#responding-to-a-challenge-request
function twitchAnswer(request: InboundRequest, payload: PayloadObject): ChallengeAnswer | null {
  const type = request.headers.get("Twitch-Eventsub-Message-Type")?.toLowerCase();
  return type === "webhook_callback_verification" ? plain(field(payload, "challenge")) : null;
}

// https://developers.zoom.us/docs/api/webhooks/#validate-your-webhook-endpoint
async function zoomAnswer(
  endpoint: Endpoint,
  request: InboundRequest,
  payload: PayloadObject,
): Promise<ChallengeAnswer | null> {
  const inner = field(payload, "payload");
  if (field(payload, "event") !== "endpoint.url_validation" || !isObject(inner)) return null;
  const plainToken = field(inner, "plainToken");
  const secret = await signingSecret(endpoint, request);
  if (!isChallenge(plainToken) || secret === null) return null;
  const key = await importKey(encoder.encode(secret), "sha256");
  const encryptedToken = toHex(await hmac(key, encoder.encode(plainToken)));
  return {
    status: 200,
    contentType: "application/json",
    body: JSON.stringify({ plainToken, encryptedToken }),
  };
}

/** Returns the secret that the sender uses: during a rotation, possibly the previous one. */
async function signingSecret(
  { config, hmac: secret }: Endpoint,
  request: InboundRequest,
): Promise<string | null> {
  if (config.auth.hmac === null || secret === null) return null;
  const { scheme } = config.auth.hmac;
  const verdict = await verifySignature(scheme, secret, request, request.receivedAt);
  const isPrevious = verdict.ok && verdict.usedPrevious && secret.previous !== null;
  return isPrevious ? (secret.previous?.value ?? null) : secret.current;
}

/**
 * Verifies a GET with `hub.mode` and `hub.challenge` (WebSub; Meta adds `hub.verify_token`, which must be
 * the endpoint's token). An endpoint without token and signature answers any.
 */
export async function hubChallenge(
  endpoint: Endpoint,
  request: InboundRequest,
): Promise<HubChallenge> {
  const text = hubText(request);
  if (text === null) return { kind: "none" };
  const answer = plain(text);
  if (answer === null)
    return {
      kind: "refused",
      message: "hub.challenge must be visible ASCII of at most 1,000 characters.",
    };
  if (endpoint.token !== null) {
    const given = request.url.searchParams.get("hub.verify_token") ?? "";
    return (await matchesAny([given], validValues(endpoint.token, request.receivedAt)))
      ? { kind: "verified", answer }
      : { kind: "refused", message: "hub.verify_token is not the endpoint's token." };
  }
  if (endpoint.hmac !== null) {
    return {
      kind: "refused",
      message: "A hub.challenge has no signature. Set auth.token and send it as hub.verify_token.",
    };
  }
  return { kind: "verified", answer };
}

/** Returns `hub.challenge` of a GET that verifies a subscription, or null. */
function hubText({ method, url }: InboundRequest): string | null {
  if (method !== "GET") return null;
  const mode = url.searchParams.get("hub.mode");
  return mode === "subscribe" || mode === "unsubscribe"
    ? url.searchParams.get("hub.challenge")
    : null;
}

function plain(text: unknown): ChallengeAnswer | null {
  if (!isChallenge(text)) return null;
  return { status: 200, contentType: "text/plain; charset=utf-8", body: text };
}

const isChallenge = (text: unknown): text is string =>
  typeof text === "string" && CHALLENGE.test(text);

/** Returns an own property: the sender chooses the names of a payload. */
function field(object: PayloadObject, name: string): PayloadValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
