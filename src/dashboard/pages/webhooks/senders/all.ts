import type { EndpointRecord } from "../../../../contract/inbound/endpoint.ts";
import { PRESETS } from "../../../../contract/inbound/signature.ts";
import { presetOf } from "../../../../inbound/signatures/presets.ts";
import { providerOf } from "./providers.ts";
import type { Sender } from "./sender.ts";

const CUSTOM: Sender = {
  id: "hmac",
  name: "Custom signature",
  about: "Any sender that signs by HMAC: you say which header, which text, which algorithm.",
  auth: { kind: "custom" },
  secret: { by: "us", hint: "Leave this empty for a good one, which you give to the sender." },
  steps: [
    "Give the sender the URL and the secret.",
    "It signs each request with HMAC over the text of the template, and puts the signature into the header.",
  ],
  docs: null,
};

const TOKEN: Sender = {
  id: "token",
  name: "Token",
  about: "Senders that can add a header: X-Webhook-Token, or Authorization: Bearer.",
  auth: { kind: "token" },
  secret: { by: "us", hint: "Leave this empty for a good one, which you give to the sender." },
  steps: [
    "Give the sender the URL and the token.",
    "It sends the token in the header, or as Authorization: Bearer.",
  ],
  docs: null,
};

const OPEN: Sender = {
  id: "open",
  name: "Open URL",
  about: "No secret: whoever knows the URL, which cannot be guessed, starts the workflow.",
  auth: { kind: "open" },
  secret: null,
  steps: [
    "Give the sender the URL, and nobody else: it is all that is asked for. An IP allowlist makes it safer.",
  ],
  docs: null,
};

/** All kinds of senders, in the order of their cards. */
export const SENDERS: readonly Sender[] = [...PRESETS.map(providerOf), CUSTOM, TOKEN, OPEN];

/** Whether the time of sending is a part of what is signed. */
export function signsTime({ hmac }: EndpointRecord["auth"]): boolean {
  const template =
    hmac?.preset === undefined ? hmac?.template : presetOf(hmac.preset).scheme.template;
  return template?.includes("{timestamp}") ?? false;
}

/** The kind of sender that an endpoint is for, by what it asks for. */
export function senderOf({ auth: { hmac, token } }: Pick<EndpointRecord, "auth">): Sender {
  if (hmac?.preset !== undefined) return providerOf(hmac.preset);
  if (hmac !== undefined) return CUSTOM;
  return token === undefined ? OPEN : TOKEN;
}
