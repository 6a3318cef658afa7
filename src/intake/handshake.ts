import { createHmac } from "node:crypto";
import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type { Fault, PayloadValue } from "../contract/webhooks/payload.ts";
import type { SenderPort } from "../ports/webhooks.ts";
import { payloadOf } from "./payload/parse.ts";
import { matchesAny, validValues } from "./secrets.ts";
import {
  type Asked,
  CLOUDEVENTS,
  type Handshake,
  type HandshakeAnswer,
  type Head,
  handshakeFlaw,
} from "./signatures/presets/handshake.ts";
import { hubHandshake } from "./signatures/presets/meta.ts";
import { slackHandshake } from "./signatures/presets/slack.ts";
import { senderOf } from "./signatures/presets.ts";
import { verifySignature } from "./signatures/verify.ts";
import type { Endpoint, InboundRequest } from "./types.ts";

/** The verdict on a request by which a sender may check the address. */
export type HandshakeVerdict =
  | { kind: "none" }
  | { kind: "answered"; answer: HandshakeAnswer }
  | { kind: "refused"; flaw: Fault };

/** Any sender may use these where no preset names one. */
const OF_ANY: readonly Handshake[] = [CLOUDEVENTS, slackHandshake];

function handshakesOf({ auth }: EndpointConfig): readonly Handshake[] {
  const sender = senderOf(auth);
  return sender === null ? OF_ANY : (sender.handshakes ?? []);
}

/** The handshakes that are answered: where GET is allowed, any sender may be a hub of WebSub. */
const answeredOf = (config: EndpointConfig) => [...handshakesOf(config), hubHandshake];

/** Whether a request is a handshake by a method that is no event's. */
export function isProbe(config: EndpointConfig, head: Head): boolean {
  return head.method !== "POST" && handshakesOf(config).some(({ asks }) => asks?.(head));
}

/** Bytes of a body that may be a handshake. */
const MAX_BYTES = 4_096;

/** Answers a request by which a sender checks the address before it signs or sends a token. */
export async function earlyHandshake(
  endpoint: Endpoint,
  request: InboundRequest,
): Promise<HandshakeVerdict> {
  const early = answeredOf(endpoint.config).filter((one) => !one.isAuthenticated);
  const { method, body } = request;
  const asked = early.find(({ asks }) => asks?.(request));
  if (asked !== undefined) {
    const answer = await asked.answer(askedOf(endpoint, request, undefined));
    return verdictOf(answer ?? UNREPEATABLE);
  }
  const inBody = early.filter(({ asks }) => asks === undefined);
  const isSmall = body.kind === "whole" && body.raw.length <= MAX_BYTES;
  if (method !== "POST" || inBody.length === 0 || !isSmall) return NONE;
  return await firstAnswer(inBody, askedOf(endpoint, request, await payloadOf(request)));
}

/** Answers a request by which a sender checks the address, once it has passed all checks before. */
export async function authenticatedHandshake(
  endpoint: Endpoint,
  request: InboundRequest,
  payload: PayloadValue,
  sender: SenderPort,
): Promise<HandshakeVerdict> {
  const late = answeredOf(endpoint.config).filter(({ isAuthenticated, asks }) =>
    asks === undefined ? isAuthenticated : asks(request),
  );
  // The checks before have proved the sender.
  const asked = { ...askedOf(endpoint, request, payload, sender), proof: "none" as const };
  return await firstAnswer(late, asked);
}

async function firstAnswer(
  handshakes: readonly Handshake[],
  asked: Asked,
): Promise<HandshakeVerdict> {
  for (const one of handshakes) {
    const answer = await one.answer(asked);
    if (answer !== null) return verdictOf(answer);
  }
  return NONE;
}

const NONE: HandshakeVerdict = { kind: "none" };
const UNREPEATABLE = handshakeFlaw(
  "handshake",
  "The text to repeat must be visible ASCII of at most 1,000 characters.",
);

function verdictOf(answer: HandshakeAnswer | Fault): HandshakeVerdict {
  return "rule" in answer ? { kind: "refused", flaw: answer } : { kind: "answered", answer };
}

function askedOf(
  endpoint: Endpoint,
  request: InboundRequest,
  payload: PayloadValue | undefined,
  sender?: SenderPort,
): Asked {
  const { token, config } = endpoint;
  const { method, url, headers, receivedAt } = request;
  const signs = endpoint.hmac !== null || config.auth.signature !== undefined;
  return {
    method,
    url,
    headers,
    payload,
    requestsPerMinute: config.requestsPerMinute,
    awaitsSecret: config.auth.hmac?.awaitsSecret === true,
    proof: token !== null ? "token" : signs ? "signature" : "none",
    isToken: async (text) =>
      token !== null && (await matchesAny([text], validValues(token, receivedAt))),
    sign: async (text) => {
      const secret = await signingSecret(endpoint, request);
      return secret && createHmac("sha256", secret).update(text).digest("hex");
    },
    confirm: async (address) => (await sender?.confirm(address)) ?? false,
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
