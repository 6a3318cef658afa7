import type { JsonObject } from "../../../contract/json.ts";
import { DEFAULT_TOLERANCE_SECONDS } from "../../../contract/webhooks/endpoint.ts";
import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import type {
  FieldPlace,
  JwtScheme,
  KeyScheme,
  SignatureScheme,
} from "../../../contract/webhooks/signature.ts";
import type { KeyOrder } from "../../../ports/webhooks.ts";
import { isTimed } from "../signed-message.ts";
import type { Handshake } from "./handshake.ts";

/** A sender of webhooks: how it authenticates, names events and checks the address of a receiver. */
interface Sender {
  name: string;
  /** Its documentation of webhooks. */
  docs: string;
  /** Where the secret, the public key or the token comes from. */
  secret: SecretOrigin;
  /** The place of the sender's settings, or the call of its API, that takes the URL. */
  place?: string;
  /** What to know there beyond the address and the secret. */
  note?: string;
  /** Where the event's id is, tried in order; left out if the sender sends none that survives a retry. */
  eventId?: readonly FieldPlace[];
  /** Where the parts of the sender are within which ids of events are unique. */
  eventScope?: readonly FieldPlace[];
  /** The list of its batches: an endpoint that splits them makes one request of each item. */
  split?: string;
  /** Where the event's type is, tried in order. */
  eventType: readonly FieldPlace[];
  /** Which time shows the age of a request, unless the endpoint names another: a signed one, if there is one. */
  replay: ReplayRule;
  /** How it checks that the address belongs to its customer. */
  handshakes?: readonly Handshake[];
  /** What its requests cannot prove, or what this service cannot do with them. */
  limits?: string;
  /** A webhook of this sender, for a first try. */
  sample: SenderSample;
}

/** How old a request of a sender may be, and by which time. */
export interface ReplayRule {
  /**
   * `signed`: the timestamp of the signature, each attempt with its own. A place: a field of the body,
   * which the signature covers. `none`: the sender signs no time of sending, and a retry hours later
   * equals the first attempt: no time tells a retry from a replay, but the event id does.
   */
  time: "signed" | "none" | FieldPlace;
  /** Replaces the default time window, for senders whose retries repeat the time or that name a window. */
  toleranceSeconds?: number;
}

/** A sender that signs with a shared secret. */
export interface HmacPreset extends Sender {
  scheme: SignatureScheme;
}

/** A sender that signs with a private key. */
export interface KeyPreset extends Sender {
  scheme: KeyScheme | JwtScheme;
  /**
   * What `auth.signature.audience` is for this sender; `paths`: the places in the payload, or in the claims of
   * the token, one of which must equal it.
   */
  audience?: {
    name: string;
    paths: readonly string[];
    isRequired: boolean;
  };
  /** The key of all its requests, or the root certificate of their keys. */
  publicKey?: string;
  /** Returns where the key of a request is; null if the request names none. Left out where the key is given. */
  keyOrder?(sent: SentParts): KeyOrder | null;
}

/** A sender that does not sign. */
export interface TokenPreset extends Sender {
  token: { in: "header" | "query" | "body"; name: string } | { in: "basic" };
}

/** Whether the owner of an endpoint has to give the sender's key. */
export function needsKey({ publicKey, keyOrder }: KeyPreset): boolean {
  return publicKey === undefined && keyOrder === undefined;
}

/** The parts of a request that can name a key. */
interface SentParts {
  headers: Headers;
  payload: PayloadValue | undefined;
}

/** Where a sender's secret comes from. */
export type SecretOrigin =
  /** The reader chooses it, so the service can generate one. */
  | {
      by: "us";
      hint: string;
      /** Whether the sender replaces it in its first handshake. */
      isReplaced?: true;
    }
  /** The sender chooses it; `first`: before it knows the URL, which it checks at once. */
  | {
      by: "them";
      first: boolean;
      name: string;
      hint: string;
      /** Whether some of these senders accept a generated one instead. */
      orOurs?: boolean;
    };

/** A request as a sender would send it; `{{id}}` and `{{now}}` are filled when it is sent. */
export interface SenderSample {
  headers?: Readonly<Record<string, string>>;
  body: JsonObject;
  /** Whether the body goes as a form. */
  isForm?: boolean;
}

/** A secret that the service may generate. */
export const OURS: SecretOrigin = {
  by: "us",
  hint: "Leave empty to generate one, then give it to the sender.",
};

/** A signature in one header, over the body. */
const PLAIN = {
  form: "plain",
  prefix: "",
  prefixOptional: false,
  encoding: "hex",
  template: "{body}",
  timestampHeader: null,
  timestampPair: null,
  idHeader: null,
  aliases: [],
} satisfies Partial<KeyScheme>;

/** What a preset names; the rest has defaults: a secret that the service may generate, no event type. */
type Given<Preset extends Sender> = Omit<Preset, "secret" | "eventType" | "replay" | "scheme"> &
  Partial<Pick<Preset, "secret" | "eventType" | "replay">>;

const defaults = (isTimed: boolean): Pick<Sender, "secret" | "eventType" | "replay"> => ({
  secret: OURS,
  eventType: [],
  replay: { time: isTimed ? "signed" : "none" },
});

/** Completes a sender that signs with a shared secret: by default HMAC-SHA256 of the body, in hex. */
export function hmacPreset({
  scheme: given,
  ...sender
}: Given<HmacPreset> & {
  scheme: Partial<SignatureScheme> & Pick<SignatureScheme, "header">;
}): HmacPreset {
  const scheme = { ...PLAIN, algorithm: "sha256", secretEncoding: "utf8", ...given } as const;
  return { ...defaults(scheme.form === "jwt" || isTimed(scheme)), ...sender, scheme };
}

/** Completes a sender that signs with a private key. */
export function keyPreset({
  scheme: given,
  ...sender
}: Given<KeyPreset> & {
  scheme: JwtScheme | (Partial<KeyScheme> & Pick<KeyScheme, "header" | "algorithm">);
}): KeyPreset {
  const scheme = given.algorithm === "jwt" ? given : { ...PLAIN, ...given };
  return { ...defaults(scheme.algorithm === "jwt" || isTimed(scheme)), ...sender, scheme };
}

/** Completes a sender that does not sign, and so signs no time. */
export function tokenPreset(sender: Given<TokenPreset>): TokenPreset {
  return { ...defaults(false), ...sender };
}

/** A note on senders whose signatures cover the address. */
export const SIGNED_URL = "Give it the URL as it is, since it is signed too.";

/** Returns the steps in a sender's own settings. */
export function stepsOf({
  place,
  note,
  secret,
  ...rest
}: HmacPreset | KeyPreset | TokenPreset): string[] {
  const given = "token" in rest ? "token" : "secret";
  const steps =
    secret.by === "us" && !secret.isReplaced
      ? [`Give it the URL and the ${given}, and choose the events.`]
      : ["Give it the URL, and choose the events."];
  if (secret.by === "them" && !secret.first) {
    steps.push(`Copy its ${secret.name.toLowerCase()} and paste it under Settings.`);
  }
  return [
    ...(place === undefined ? [] : [`${place}.`, ...steps]),
    ...(note === undefined ? [] : [note]),
  ];
}

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;

/** Returns the time window in seconds: a sender's own one replaces the default, not one that was set. */
export function windowOf(rule: ReplayRule | null, set: number): number {
  return set === DEFAULT_TOLERANCE_SECONDS ? (rule?.toleranceSeconds ?? set) : set;
}

/** A place in a header. */
export const header = (path: string): FieldPlace => ({ in: "header", path });

/** A place in the body. */
export const body = (path: string): FieldPlace => ({ in: "body", path });

/** A user name and a password that the service may generate. */
export const CREDENTIALS: SecretOrigin = {
  by: "us",
  hint: "user:password, for HTTP authentication. Leave empty to generate both.",
};

/** A secret that the sender shows once it knows the URL. */
export const shownLater = (name: string, hint: string): SecretOrigin => ({
  by: "them",
  first: false,
  name,
  hint: `${hint} Leave empty until then.`,
});

/** A secret that the sender shows before it knows the URL. */
export const shownFirst = (name: string, hint: string): SecretOrigin => ({
  by: "them",
  first: true,
  name,
  hint,
});
