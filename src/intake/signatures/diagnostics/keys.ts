import { type Cause, type SecretEdit, secretEdit } from "../../../contract/webhooks/advice.ts";
import type { SignatureScheme } from "../../../contract/webhooks/signature.ts";
import { toBase64 } from "../../../lib/encoding.ts";
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

/**
 * Returns the configured key, then the keys that a sender may have made of the same secrets, the likeliest
 * first. `sender` is the preset's name, which names of variables begin with.
 */
export function keysOf(
  { current, previous }: OpenSecret,
  encoding: SecretEncoding,
  sender: string,
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
    ...editedKeys(current, encoding),
    ...mangledKeys(current, encoding),
    ...missingSecrets(current, sender),
    ...otherReadings(current, encoding, ["sha1"]),
  ]);
}

type Candidate = Omit<OtherKey, "bytes"> & { bytes: Uint8Array | null };

/** Returns the keys that a text is in these encodings. */
function otherReadings(
  text: string,
  configured: SecretEncoding,
  encodings: SecretEncoding[],
): Candidate[] {
  return encodings.map((encoding) => ({
    bytes: encoding === "whsec" ? whsecBytes(text) : secretBytes(text, encoding),
    finding: {
      cause: "secret_encoding",
      text: `The sender ${READ[encoding]}, but secretEncoding is "${configured}". ${adviceFor(text, encoding, configured)}`,
    },
    setting:
      encoding === "base64" && configured === "whsec"
        ? { secretEncoding: "whsec", edit: "with_whsec" }
        : { secretEncoding: encoding, edit: null },
  }));
}

function otherEncodings(text: string, configured: SecretEncoding): Candidate[] {
  return [
    ...otherReadings(text, configured, ["utf8", "whsec", "base64", "hex"]),
    {
      bytes: secretBytes(editedSecret(text, "hex_digits"), "hex"),
      finding: {
        cause: "secret_encoding",
        text: 'The sender decodes the secret from hex, without the 0x, the quotes or the separators in it. Save the digits alone, with secretEncoding "hex".',
      },
      setting: { secretEncoding: "hex", edit: "hex_digits" },
    },
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
  sha1: "takes the SHA-1 of the secret as the key",
};

function adviceFor(text: string, encoding: SecretEncoding, configured: SecretEncoding): string {
  if (encoding === "base64" && configured === "whsec" && !text.startsWith(WHSEC)) {
    return `Save the secret with the prefix ${WHSEC}.`;
  }
  return `Set secretEncoding to "${encoding}".`;
}

const AT_SENDER = "Remove it at the sender.";
const SAVE_WITHOUT = "Save it without.";
/** The names of variables that hold a secret, also with the sender's name before them. */
const VARIABLES = ["WEBHOOK_SECRET", "SECRET", "SIGNING_SECRET", "WEBHOOK_SIGNING_SECRET"];
const NAME = /^\s*(?:export\s+)?[a-z]\w*(?:secret|key|token)\w*\s*[=:]\s*/i;

/** An edit of a secret, which changes nothing a second time; null where another variant tells of it. */
const EDITS: Record<SecretEdit, { finding: Finding | null; edit(text: string): string }> = {
  trim: {
    finding: whiteSpace(`has no white space around it. ${SAVE_WITHOUT}`),
    edit: (text) => text.trim(),
  },
  unquote: {
    finding: {
      cause: "secret_quotes",
      text: `The sender's secret has no quotes around it. ${SAVE_WITHOUT}`,
    },
    edit: unquoted,
  },
  without_name: {
    finding: {
      cause: "secret_variable",
      text: `The stored secret begins with the name of a variable. ${SAVE_WITHOUT}`,
    },
    edit: (text) => (NAME.test(text) ? unquoted(text.replace(NAME, "").trim()) : text),
  },
  without_whsec: { finding: null, edit: (text) => text.replace(/^whsec_/, "") },
  with_whsec: {
    finding: null,
    edit: (text) => (text.startsWith(WHSEC) ? text : `${WHSEC}${text}`),
  },
  hex_digits: { finding: null, edit: (text) => text.replace(/^["'\s]*0x|["'\s:-]/gi, "") },
  line_break: {
    finding: whiteSpace(`ends with a line break. ${AT_SENDER}`),
    edit: (text) => (text.endsWith("\n") ? text : `${text}\n`),
  },
  line_break_before: {
    finding: whiteSpace(`begins with a line break. ${AT_SENDER}`),
    edit: (text) => (text.startsWith("\n") ? text : `\n${text}`),
  },
  crlf: {
    finding: whiteSpace(`ends with CRLF. ${AT_SENDER}`),
    edit: (text) => (text.endsWith("\r\n") ? text : `${text}\r\n`),
  },
  space: {
    finding: whiteSpace(`ends with a space. ${AT_SENDER}`),
    edit: (text) => (text.endsWith(" ") ? text : `${text} `),
  },
  quote: {
    finding: {
      cause: "secret_quotes",
      text: "The sender's secret has quotes around it. Remove them at the sender.",
    },
    edit: (text) => (/^".*"$/s.test(text) ? text : `"${text}"`),
  },
};

/** The edits that mend what was stored with more than the secret. */
export const STORED_EDITS = (["trim", "unquote", "without_name"] as const).flatMap((edit) => {
  const { finding } = EDITS[edit];
  return finding === null ? [] : [{ edit, finding }];
});

function whiteSpace(text: string): Finding {
  return { cause: "secret_whitespace", text: `The sender's secret ${text}` };
}

function unquoted(text: string): string {
  return /^\s*(["'])(.*)\1\s*$/s.exec(text)?.[2] ?? text;
}

/** Returns the keys of a secret with or without what copying easily adds or loses. */
function editedKeys(text: string, encoding: SecretEncoding): Candidate[] {
  return secretEdit.options.flatMap((edit) => {
    const { finding } = EDITS[edit];
    if (finding === null) return [];
    const bytes = secretBytes(editedSecret(text, edit), encoding);
    return [{ bytes, finding, setting: { secretEncoding: encoding, edit } }];
  });
}

/** Applies an edit to a secret. */
export function editedSecret(text: string, edit: SecretEdit): string {
  return EDITS[edit].edit(text);
}

/** Returns the keys of what shells, files of variables and pipelines make of a secret. */
function mangledKeys(text: string, encoding: SecretEncoding): Candidate[] {
  const base64 = [text, `${text}\n`].map((plain) => toBase64(new TextEncoder().encode(plain)));
  const cut = [
    text.replace(/\$(?:\{[^}]*\}|\w+|[@*#?$!-])/g, ""),
    text.replaceAll("$$", "$"),
    text.replace(/#.*$/s, "").trimEnd(),
    text.replace(/[\s&;|<>()].*$/s, ""),
    text.replace(/%.*$/s, ""),
    text.replace(/\\(.)/gs, "$1"),
    text.replace(/["'\\`]/g, ""),
  ];
  return [
    ...base64.map((text) => ({ text, finding: IN_BASE64 })),
    ...cut.filter((text) => text !== "").map((text) => ({ text, finding: CUT })),
  ].map(({ text, finding }) => ({ bytes: secretBytes(text, encoding), finding, setting: null }));
}

const IN_BASE64: Finding = {
  cause: "secret_encoding",
  text: "The sender's secret is the base64 of this one. Decode it at the sender.",
};
const CUT: Finding = {
  cause: "secret_cut",
  text: "The sender's secret lacks what a shell or a file of variables takes out of it, such as $…, #… or a backslash. Put it in single quotes there.",
};

/** Returns the keys of senders whose secret is not set, or is the name of a variable. */
function missingSecrets(current: string, sender: string): Candidate[] {
  const empty = ["undefined", "null", "None"].map((text) => secretBytes(text, "utf8"));
  const names = VARIABLES.flatMap((name) => [name, `${sender.toUpperCase()}_${name}`]);
  const unexpanded = [...new Set(names)].flatMap((name) => [
    ...[`\${${name}}`, `$${name}`, `{{${name}}}`, `{{ ${name} }}`, name, `%${name}%`],
    ...[`process.env.${name}`, `${name}=${current}`],
  ]);
  return [
    ...[EMPTY_KEY, ...empty].map((bytes) => ({ bytes, finding: EMPTY, setting: null })),
    ...unexpanded.map((text) => ({
      bytes: secretBytes(text, "utf8"),
      finding: UNEXPANDED,
      setting: null,
    })),
  ];
}

const EMPTY: Finding = {
  cause: "secret_empty",
  text: "The sender signs with an empty secret: its setting is missing. Give it the secret.",
};
const UNEXPANDED: Finding = {
  cause: "secret_variable",
  text: "The sender signs with the name of a variable in its secret. Give it the value alone.",
};

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
