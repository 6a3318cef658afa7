import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { SenderName } from "../../../contract/webhooks/signature.ts";
import {
  type SecretOrigin,
  type SenderSample,
  stepsOf,
} from "../../../intake/signatures/presets/preset.ts";
import { CATALOG, type NamedPreset, presetNamed } from "../../../intake/signatures/presets.ts";

/** A kind of sender that an endpoint is created for. */
export interface Sender {
  id: string;
  name: string;
  /** The text of its card. */
  about: string;
  /** How an endpoint authenticates it. */
  auth: { kind: "preset"; preset: NamedPreset } | { kind: "custom" | "token" | "open" };
  secret: SecretOrigin | null;
  /** The steps in the sender's own settings. */
  steps: readonly string[];
  /** The sender's documentation of these steps. */
  docs: string | null;
  /** The list of its batches, of which each item becomes a request; null if it sends none. */
  split: string | null;
  /** A webhook of this sender, for a first try. */
  sample: SenderSample;
}

const ANY: SenderSample = {
  body: {
    id: "{{id}}",
    message: "Hello",
    items: [
      { sku: "cable", total: 9.5 },
      { sku: "monitor", total: 249 },
    ],
  },
};

/** Returns the sender of a preset. */
export function providerOf(name: SenderName): Sender {
  const preset = presetNamed(name);
  const { name: title, about, secret, docs, split = null, sample } = preset.sender;
  const auth = { kind: "preset" as const, preset };
  const steps = stepsOf(preset.sender);
  return { id: name, name: title, about, auth, secret, steps, docs, split, sample };
}

/** What the senders without a preset have in common. */
const OWN = { docs: null, split: null, sample: ANY };
const OUR_SECRET: SecretOrigin = {
  by: "us",
  hint: "Leave empty to generate one, then give it to the sender.",
};

const CUSTOM: Sender = {
  ...OWN,
  id: "hmac",
  name: "Custom signature",
  about: "Any sender that signs with HMAC. You choose the header, the text and the algorithm.",
  auth: { kind: "custom" },
  secret: OUR_SECRET,
  steps: [
    "Give the sender the URL and the secret.",
    "The sender signs the text of the template with HMAC and sends the signature in the header.",
  ],
};

const TOKEN: Sender = {
  ...OWN,
  id: "token",
  name: "Token",
  about: "Senders that can add a header: X-Webhook-Token or Authorization: Bearer.",
  auth: { kind: "token" },
  secret: OUR_SECRET,
  steps: [
    "Give the sender the URL and the token.",
    "The sender sends the token in the header, or as Authorization: Bearer.",
  ],
};

const OPEN: Sender = {
  ...OWN,
  id: "open",
  name: "Open URL",
  about: "No secret. Anyone who knows the unguessable URL can start the workflow.",
  auth: { kind: "open" },
  secret: null,
  steps: [
    "Give the URL only to the sender: it is the only credential. An IP allowlist makes it safer.",
  ],
};

/** The senders whose cards come first. */
export const POPULAR = [
  "github",
  "stripe",
  "shopify",
  "slack",
  "standard-webhooks",
  "linear",
] as const;

/** All senders, in the order of their cards. */
export const SENDERS: readonly Sender[] = [
  ...POPULAR.map(providerOf),
  ...CATALOG.filter((name) => !POPULAR.some((one) => one === name)).map(providerOf),
  CUSTOM,
  TOKEN,
  OPEN,
];

/** Returns the sender that an endpoint is for, by its authentication. */
export function senderOf({ auth }: Pick<EndpointRecord, "auth">): Sender {
  const { hmac, signature, token } = auth;
  const preset = hmac?.preset ?? signature?.preset ?? token?.preset;
  if (preset !== undefined) return providerOf(preset);
  if (hmac !== undefined || signature !== undefined) return CUSTOM;
  return token === undefined ? OPEN : TOKEN;
}
