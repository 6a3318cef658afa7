import type { Cause, SecretEdit } from "../../../contract/inbound/advice.ts";
import type { SignatureScheme } from "../../../contract/inbound/signature.ts";
import type { OpenSecret } from "../../types.ts";
import { secretBytes } from "../hmac.ts";

/** A difference between what the sender does and what the endpoint expects. */
export interface Finding {
  cause: Cause;
  text: string;
}

type SecretEncoding = SignatureScheme["secretEncoding"];

/** A key that may have been used. */
export interface OtherKey {
  bytes: Uint8Array;
  /** Null for the configured key. */
  finding: Finding | null;
  /** The setting under which the stored secret is this key; null if only the sender can change it. */
  setting: { secretEncoding: SecretEncoding; edit: SecretEdit | null } | null;
}

const WHSEC = "whsec_";
/** HMAC fills a key up with zeros, so that this one is the empty key. */
const EMPTY_KEY = new Uint8Array(1);

/** Returns the configured key, then the keys that a sender may have derived from the same secrets. */
export function keysOf(
  { current, previous }: OpenSecret,
  encoding: SecretEncoding,
  now: number,
): OtherKey[] {
  const configured = { secretEncoding: encoding, edit: null };
  const isOver = previous !== null && now >= previous.validUntil;
  return distinct([
    { bytes: secretBytes(current, encoding), finding: null, setting: configured },
    {
      bytes: previous && secretBytes(previous.value, encoding),
      finding: isOver
        ? {
            cause: "secret_previous",
            text: "The sender uses the previous secret, which is no longer valid. Give it the current one.",
          }
        : null,
      setting: isOver ? null : configured,
    },
    ...otherEncodings(current, encoding),
    ...EDITS.flatMap((edit) => edited(current, encoding, edit)),
    ...missingSecrets(),
  ]);
}

type Candidate = Omit<OtherKey, "bytes"> & { bytes: Uint8Array | null };

function otherEncodings(text: string, configured: SecretEncoding): Candidate[] {
  const reading = (encoding: SecretEncoding): Candidate => ({
    bytes: encoding === "whsec" ? whsecBytes(text) : secretBytes(text, encoding),
    finding: {
      cause: "secret_encoding",
      text: `The sender ${READ[encoding]}, but secretEncoding is "${configured}". ${adviceFor(text, encoding, configured)}`,
    },
    setting:
      encoding === "base64" && configured === "whsec"
        ? { secretEncoding: "whsec", edit: "with_whsec" }
        : { secretEncoding: encoding, edit: null },
  });
  return [
    reading("utf8"),
    reading("whsec"),
    reading("base64"),
    reading("hex"),
    {
      bytes: text.startsWith(WHSEC) ? secretBytes(text.slice(WHSEC.length), "utf8") : null,
      finding: {
        cause: "secret_encoding",
        text: `The sender uses the secret without its ${WHSEC} as plain text. Save it without the prefix, with secretEncoding "utf8".`,
      },
      setting: { secretEncoding: "utf8", edit: "without_whsec" },
    },
  ];
}

function whsecBytes(text: string): Uint8Array | null {
  return text.startsWith(WHSEC) ? secretBytes(text.slice(WHSEC.length), "base64") : null;
}

const READ: Record<SecretEncoding, string> = {
  utf8: "uses the text of the secret without decoding it",
  base64: "decodes the secret from base64",
  hex: "decodes the secret from hex",
  whsec: `decodes the part after ${WHSEC} from base64`,
};

function adviceFor(text: string, encoding: SecretEncoding, configured: SecretEncoding): string {
  if (encoding === "base64" && configured === "whsec" && !text.startsWith(WHSEC)) {
    return `Save the secret with the prefix ${WHSEC}.`;
  }
  return `Set secretEncoding to "${encoding}".`;
}

const EDITS: readonly SecretEdit[] = ["trim", "unquote", "line_break", "crlf", "space", "quote"];

const EDIT_FINDINGS: Partial<Record<SecretEdit, Finding>> = {
  trim: {
    cause: "secret_whitespace",
    text: "The sender's secret has no white space around it. Save it without.",
  },
  unquote: {
    cause: "secret_quotes",
    text: "The sender's secret has no quotes around it. Save it without.",
  },
  line_break: {
    cause: "secret_whitespace",
    text: "The sender's secret ends with a line break. Remove it at the sender.",
  },
  crlf: {
    cause: "secret_whitespace",
    text: "The sender's secret ends with CRLF. Remove it at the sender.",
  },
  space: {
    cause: "secret_whitespace",
    text: "The sender's secret ends with a space. Remove it at the sender.",
  },
  quote: {
    cause: "secret_quotes",
    text: "The sender's secret has quotes around it. Remove them at the sender.",
  },
};

/** Returns the key of a secret with or without characters that copying easily adds or loses. */
function edited(text: string, encoding: SecretEncoding, edit: SecretEdit): Candidate[] {
  const finding = EDIT_FINDINGS[edit];
  if (finding === undefined) return [];
  const bytes = secretBytes(editedSecret(text, edit), encoding);
  return [{ bytes, finding, setting: { secretEncoding: encoding, edit } }];
}

/** Applies an edit to a secret; a second time it changes nothing. */
export function editedSecret(text: string, edit: SecretEdit): string {
  switch (edit) {
    case "trim":
      return text.trim();
    case "unquote":
      return /^\s*(["'])(.*)\1\s*$/s.exec(text)?.[2] ?? text;
    case "without_whsec":
      return text.startsWith(WHSEC) ? text.slice(WHSEC.length) : text;
    case "with_whsec":
      return text.startsWith(WHSEC) ? text : `${WHSEC}${text}`;
    case "line_break":
      return text.endsWith("\n") ? text : `${text}\n`;
    case "crlf":
      return text.endsWith("\r\n") ? text : `${text}\r\n`;
    case "space":
      return text.endsWith(" ") ? text : `${text} `;
    case "quote":
      return /^".*"$/s.test(text) ? text : `"${text}"`;
  }
}

/** Returns the keys of senders whose secret is not set. */
function missingSecrets(): Candidate[] {
  const texts = ["undefined", "null", "None"].map((text) => secretBytes(text, "utf8"));
  return [EMPTY_KEY, ...texts].map((bytes) => ({
    bytes,
    finding: {
      cause: "secret_empty",
      text: "The sender signs with an empty secret: its setting is missing. Give it the secret.",
    },
    setting: null,
  }));
}

/** Keeps the first of equal keys. */
function distinct(candidates: Candidate[]): OtherKey[] {
  const seen = new Set<string>();
  return candidates.flatMap(({ bytes, ...rest }) => {
    const name = bytes === null ? "" : bytes.join();
    if (bytes === null || seen.has(name)) return [];
    seen.add(name);
    return { bytes, ...rest };
  });
}
