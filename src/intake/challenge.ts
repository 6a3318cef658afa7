import type { PayloadObject, PayloadValue } from "../contract/webhooks/payload.ts";
import { toHex } from "../lib/encoding.ts";
import { isObject } from "../lib/json-values.ts";
import { checksBy, hubText, isChallenge, jsonAnswer, repeated } from "./handshake.ts";
import { readPath } from "./mapping/payload-path.ts";
import { hmac, importKey } from "./signatures/hmac.ts";
import { senderOf } from "./signatures/presets.ts";
import { verifySignature } from "./signatures/verify.ts";
import type { ChallengeAnswer, Endpoint, InboundRequest, SenderPort } from "./types.ts";

const encoder = new TextEncoder();

/**
 * Returns the answer to a sender that verifies the address, in a request that passed all checks before;
 * null if the request is no challenge.
 */
export async function challengeAnswer(
  endpoint: Endpoint,
  request: InboundRequest,
  payload: PayloadValue | null,
  sender: SenderPort,
): Promise<ChallengeAnswer | null> {
  const { config } = endpoint;
  const hub = hubText(request.method, request.url);
  if (hub !== null) return repeated(hub);
  if (checksBy(config, "okta") && request.method === "GET") return oktaAnswer(request);
  if (checksBy(config, "event-grid")) return eventGridAnswer(payload);
  if (!isObject(payload)) return null;
  // Slack's challenge needs no secret, so endpoints with other authentication answer it as well.
  if (senderOf(config.auth) === null || checksBy(config, "slack")) return slackAnswer(payload);
  if (checksBy(config, "twitch")) return twitchAnswer(request, payload);
  if (checksBy(config, "discord")) return discordAnswer(payload);
  if (checksBy(config, "sns")) return await snsAnswer(payload, sender);
  return checksBy(config, "zoom") ? await zoomAnswer(endpoint, request, payload) : null;
}

// https://docs.slack.dev/reference/events/url_verification
function slackAnswer(payload: PayloadObject): ChallengeAnswer | null {
  return field(payload, "type") === "url_verification"
    ? repeated(field(payload, "challenge"))
    : null;
}

// https://dev.twitch.tv/docs/eventsub/handling-webhook-events/#responding-to-a-challenge-request
function twitchAnswer(request: InboundRequest, payload: PayloadObject): ChallengeAnswer | null {
  const type = request.headers.get("Twitch-Eventsub-Message-Type")?.toLowerCase();
  return type === "webhook_callback_verification" ? repeated(field(payload, "challenge")) : null;
}

const PING = 0;
const INTERACTION_PING = 1;

// https://discord.com/developers/docs/events/webhook-events#setting-up-an-endpoint: a PING of webhook
// events gets a 204, one of interactions, which has no event, a PONG.
function discordAnswer(payload: PayloadObject): ChallengeAnswer | null {
  const type = field(payload, "type");
  if (type === PING) return { status: 204, contentType: "application/json", body: "" };
  const isPing = type === INTERACTION_PING && field(payload, "event") === undefined;
  return isPing ? jsonAnswer({ type: INTERACTION_PING }) : null;
}

// https://developer.okta.com/docs/concepts/event-hooks/#one-time-verification-request
function oktaAnswer({ headers }: InboundRequest): ChallengeAnswer | null {
  const verification = headers.get("X-Okta-Verification-Challenge");
  return isChallenge(verification) ? jsonAnswer({ verification }) : null;
}

// https://learn.microsoft.com/azure/event-grid/end-point-validation-event-grid-events-schema
function eventGridAnswer(payload: PayloadValue | null): ChallengeAnswer | null {
  const [event] = Array.isArray(payload) ? payload : [];
  if (!isObject(event)) return null;
  const type = field(event, "eventType");
  const code = readPath(event, "data.validationCode");
  const isValidation = type === "Microsoft.EventGrid.SubscriptionValidationEvent";
  return isValidation && isChallenge(code) ? jsonAnswer({ validationResponse: code }) : null;
}

const CONFIRMATION =
  /^https:\/\/sns\.[a-z]{2}[a-z0-9-]{3,30}\.amazonaws\.com(?:\.cn)?\/\?Action=ConfirmSubscription&/;

// https://docs.aws.amazon.com/sns/latest/dg/SendMessageToHttp.prepare.html: the message is signed.
async function snsAnswer(
  payload: PayloadObject,
  sender: SenderPort,
): Promise<ChallengeAnswer | null> {
  const type = field(payload, "Type");
  const answer = { contentType: "text/plain", body: "" };
  if (type === "UnsubscribeConfirmation") return { status: 200, ...answer };
  const url = field(payload, "SubscribeURL");
  if (type !== "SubscriptionConfirmation") return null;
  const isConfirmed =
    typeof url === "string" && CONFIRMATION.test(url) && (await sender.confirm(url));
  return { status: isConfirmed ? 200 : 503, ...answer };
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
  return jsonAnswer({ plainToken, encryptedToken });
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

/** Returns an own property: the sender chooses the names of a payload. */
function field(object: PayloadObject, name: string): PayloadValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
