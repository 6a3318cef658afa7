import type { StoredAuth } from "../../contract/webhooks/endpoint.ts";
import {
  KEY_PRESETS,
  type KeyPresetName,
  PRESETS,
  type PresetName,
  type SenderName,
  TOKEN_PRESETS,
  type TokenPresetName,
} from "../../contract/webhooks/signature.ts";
import type { HmacPreset, KeyPreset, TokenPreset } from "./presets/preset.ts";
import * as senders from "./presets/senders.ts";

type Presets = Record<PresetName, HmacPreset> &
  Record<KeyPresetName, KeyPreset> &
  Record<TokenPresetName, TokenPreset>;

const SENDERS: Presets = senders;

/** Returns the preset of a sender. */
export function presetOf<Name extends SenderName>(name: Name): Presets[Name] {
  return SENDERS[name];
}

/** Header names that many senders share. */
const SHARED = ["Authorization", "X-Hub-Signature"];

/** The presets that a signature can be recognized by: the header is their own and holds a digest. */
export const RECOGNIZED: readonly PresetName[] = PRESETS.filter((name) => {
  const { scheme } = presetOf(name);
  return scheme.in !== "body" && scheme.form !== "jwt" && !SHARED.includes(scheme.header);
});

/** A preset with its name and the method that it sets. */
export type NamedPreset =
  | { method: "hmac"; preset: PresetName; sender: HmacPreset }
  | { method: "signature"; preset: KeyPresetName; sender: KeyPreset }
  | { method: "token"; preset: TokenPresetName; sender: TokenPreset };

/** Returns the preset of this name, whatever it verifies. */
export function presetNamed(name: SenderName): NamedPreset {
  if (isOf(KEY_PRESETS, name)) return { method: "signature", preset: name, sender: presetOf(name) };
  if (isOf(TOKEN_PRESETS, name)) return { method: "token", preset: name, sender: presetOf(name) };
  return { method: "hmac", preset: name, sender: presetOf(name) };
}

const isOf = <Name extends SenderName>(names: readonly Name[], name: SenderName): name is Name =>
  names.some((one) => one === name);

/** Returns the authentication with the current schemes of its presets: a stored copy may be older. */
export function withPresets(auth: StoredAuth): StoredAuth {
  const { hmac, signature } = auth;
  return {
    ...auth,
    hmac: hmac?.preset ? { ...hmac, scheme: presetOf(hmac.preset).scheme } : hmac,
    ...(signature?.preset && {
      signature: { ...signature, scheme: presetOf(signature.preset).scheme },
    }),
  };
}

/** Returns the sender that an endpoint's authentication names, or null. */
export function senderOf({
  hmac,
  signature,
  token,
}: Pick<StoredAuth, "hmac" | "signature" | "token">): HmacPreset | KeyPreset | TokenPreset | null {
  const name = hmac?.preset ?? signature?.preset ?? token?.preset ?? null;
  return name && presetOf(name);
}
