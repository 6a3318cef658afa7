import type { StoredAuth } from "../../contract/webhooks/endpoint.ts";
import {
  type KeyPresetName,
  PRESETS,
  type PresetName,
  type SenderName,
  type TokenPresetName,
} from "../../contract/webhooks/signature.ts";
import * as hmacSenders from "./presets/hmac-senders.ts";
import * as keySenders from "./presets/key-senders.ts";
import type { HmacPreset, KeyPreset, TokenPreset } from "./presets/preset.ts";
import * as tokenSenders from "./presets/token-senders.ts";

const HMAC: Record<PresetName, HmacPreset> = hmacSenders;

const KEY: Record<KeyPresetName, KeyPreset> = keySenders;

const TOKEN: Record<TokenPresetName, TokenPreset> = tokenSenders;

/** The preset of a sender that signs with a shared secret. */
export function presetOf(name: PresetName): HmacPreset {
  return HMAC[name];
}

/** Header names that many senders share. */
const SHARED = ["Authorization", "X-Hub-Signature"];

/** The presets that a signature can be recognized by: the header is their own and holds a digest. */
export const RECOGNIZED: readonly PresetName[] = PRESETS.filter((name) => {
  const { scheme } = HMAC[name];
  return scheme.in !== "body" && scheme.form !== "jwt" && !SHARED.includes(scheme.header);
});

/** The preset of a sender that signs with a private key. */
export function presetOfKey(name: KeyPresetName): KeyPreset {
  return KEY[name];
}

/** The preset of a sender that does not sign. */
export function presetOfToken(name: TokenPresetName): TokenPreset {
  return TOKEN[name];
}

/** A preset with its name and the method that it sets. */
export type NamedPreset =
  | { method: "hmac"; preset: PresetName; sender: HmacPreset }
  | { method: "signature"; preset: KeyPresetName; sender: KeyPreset }
  | { method: "token"; preset: TokenPresetName; sender: TokenPreset };

/** Returns the preset of this name, whatever it verifies. */
export function presetNamed(name: SenderName): NamedPreset {
  if (isIn(KEY, name)) return { method: "signature", preset: name, sender: KEY[name] };
  if (isIn(TOKEN, name)) return { method: "token", preset: name, sender: TOKEN[name] };
  return { method: "hmac", preset: name, sender: HMAC[name] };
}

function isIn<Name extends SenderName>(
  presets: Record<Name, unknown>,
  name: SenderName,
): name is Name {
  return Object.hasOwn(presets, name);
}

/** Returns the authentication with the current schemes of its presets: a stored copy may be older. */
export function withPresets(auth: StoredAuth): StoredAuth {
  const { hmac, signature } = auth;
  return {
    ...auth,
    hmac: hmac?.preset ? { ...hmac, scheme: presetOf(hmac.preset).scheme } : hmac,
    ...(signature?.preset && {
      signature: { ...signature, scheme: presetOfKey(signature.preset).scheme },
    }),
  };
}

/** Returns the sender that an endpoint's authentication names, or null. */
export function senderOf({
  hmac,
  signature,
  token,
}: Pick<StoredAuth, "hmac" | "signature" | "token">): HmacPreset | KeyPreset | TokenPreset | null {
  if (hmac?.preset) return presetOf(hmac.preset);
  if (signature?.preset) return presetOfKey(signature.preset);
  return token?.preset ? presetOfToken(token.preset) : null;
}
