import { type Cause, type SecretEdit, secretEdit } from "../../../contract/webhooks/advice.ts";
import type { SignatureScheme } from "../../../contract/webhooks/signature.ts";
import { toBase64 } from "../../../lib/encoding.ts";
import type { OpenSecret } from "../../types.ts";
import { secretBytes } from "../hmac.ts";
import type { Finding } from "./finding.ts";

type SecretEncoding = SignatureScheme["secretEncoding"];

/** A key that may have been used. */
export interface OtherKey {
  bytes: Uint8Array;
  /** Null for the configured key. */
  finding: Finding | null;
  /** The setting under which the stored secret is this key; null if only the sender can change it. */
  setting: { secretEncoding: SecretEncoding; edit: SecretEdit | null } | null;
}

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
  const isOver = previous !== null && now >= previous.validUntil;
  const edits = secretEdit.options.flatMap((edit) => {
    const { encoding: by = encoding } = EDITS[edit];
    return keyOf(editedSecret(current, edit), by, findingOf(edit), { secretEncoding: by, edit });
  });
  const isKept = ({ setting }: OtherKey) => setting?.secretEncoding === encoding;
  const configured = { secretEncoding: encoding, edit: null };
  const before = previous === null ? [] : keyOf(previous.value, encoding, null, configured);
  return distinct([
    ...keyOf(current, encoding, null, configured),
    ...before.map((key) => (isOver ? { ...key, finding: PREVIOUS, setting: null } : key)),
    ...edits.filter(isKept),
    ...READINGS.flatMap(([by, reads]) => {
      const text = `The sender ${reads}, but secretEncoding is "${encoding}". Set secretEncoding to "${by}".`;
      const setting = { secretEncoding: by, edit: null };
      return keyOf(current, by, { cause: "secret_encoding", text }, setting);
    }),
    ...edits.filter((edit) => !isKept(edit)),
    ...[...mangled(current), ...missing(current, sender)].flatMap(({ text, finding }) =>
      text === ""
        ? { bytes: new Uint8Array(), finding, setting: null }
        : keyOf(text, encoding, finding, null),
    ),
  ]);
}

/** Returns the key of a secret's text, none if that does not have the encoding. */
function keyOf(
  text: string,
  encoding: SecretEncoding,
  finding: Finding | null,
  setting: OtherKey["setting"],
): OtherKey[] {
  const bytes = secretBytes(text, encoding);
  return bytes === null ? [] : [{ bytes, finding, setting }];
}

const PREVIOUS: Finding = {
  cause: "secret_previous",
  text: "The sender uses the previous secret, which is no longer valid. Give it the current one.",
};

const WHSEC = "whsec_";

const READINGS: [encoding: SecretEncoding, reads: string][] = [
  ["utf8", "uses the text of the secret without decoding it"],
  ["whsec", `decodes the part after ${WHSEC} from base64`],
  ["base64", "decodes the secret from base64"],
  ["hex", "decodes the secret from hex"],
  ["sha1", "takes the SHA-1 of the secret as the key"],
];

/** `NAME=` before a secret. */
const NAME = /^\s*(?:export\s+)?[a-z]\w*(?:secret|key|token)\w*\s*[=:]\s*/i;

/** `$NAME`, `${NAME}`, `{{ name }}`, `%NAME%`, `process.env.NAME` and `WEBHOOK_SECRET`. */
export const VARIABLE =
  /^\s*(?:\$\{?\w+\}?|\{\{.*\}\}|%\w+%|process\.env\.\w+|[A-Z]+(?:_[A-Z]+)*_(?:SECRET|KEY|TOKEN))\s*$/;

/** An edit of a secret, which changes nothing a second time. */
interface Edit extends Finding {
  edit(text: string): string;
  /** The encoding of the edited secret, if it is not the configured one. */
  encoding?: SecretEncoding;
}

const EDITS: Record<SecretEdit, Edit> = {
  trim: {
    cause: "secret_whitespace",
    text: "The sender's secret has no white space around it. Save it without.",
    edit: (text) => text.trim(),
  },
  unquote: {
    cause: "secret_quotes",
    text: "The sender's secret has no quotes around it. Save it without.",
    edit: unquoted,
  },
  without_name: {
    cause: "secret_variable",
    text: "The stored secret begins with the name of a variable. Save it without.",
    edit: (text) => (NAME.test(text) ? unquoted(text.replace(NAME, "").trim()) : text),
  },
  without_whsec: {
    cause: "secret_encoding",
    text: `The sender uses the secret without its ${WHSEC} as plain text. Save it without the prefix, with secretEncoding "utf8".`,
    edit: (text) => text.replace(/^whsec_/, ""),
    encoding: "utf8",
  },
  with_whsec: {
    cause: "secret_encoding",
    text: `The sender decodes the secret from base64. Save it with the prefix ${WHSEC}.`,
    edit: (text) => (text.startsWith(WHSEC) ? text : `${WHSEC}${text}`),
    encoding: "whsec",
  },
  hex_digits: {
    cause: "secret_encoding",
    text: 'The sender decodes the secret from hex, without the 0x, the quotes or the separators in it. Save the digits alone, with secretEncoding "hex".',
    edit: (text) => text.replace(/^["'\s]*0x|["'\s:-]/gi, ""),
    encoding: "hex",
  },
};

function unquoted(text: string): string {
  return /^\s*(["'])(.*)\1\s*$/s.exec(text)?.[2] ?? text;
}

/** Applies an edit to a secret. */
export function editedSecret(text: string, edit: SecretEdit): string {
  return EDITS[edit].edit(text);
}

/** Returns a secret after an edit. */
export function editedOf(secret: OpenSecret, edit: SecretEdit | null): OpenSecret {
  if (edit === null) return secret;
  return { current: editedSecret(secret.current, edit), previous: null };
}

/** The edits that mend what was stored with more than the secret. */
export const STORED_EDITS = (["trim", "unquote", "without_name"] as const).map((edit) => ({
  edit,
  finding: findingOf(edit),
}));

function findingOf(edit: SecretEdit): Finding {
  const { cause, text } = EDITS[edit];
  return { cause, text };
}

interface OtherText {
  text: string;
  finding: Finding;
}

const textsOf = (cause: Cause, text: string, texts: string[]): OtherText[] =>
  texts.map((each) => ({ text: each, finding: { cause, text } }));

/** Returns what editors, shells, files of variables and pipelines make of a secret. */
function mangled(text: string): OtherText[] {
  const base64 = [text, `${text}\n`].map((plain) => toBase64(new TextEncoder().encode(plain)));
  const cut = [
    text.replace(/\$(?:\{[^}]*\}|\w+|[@*#?$!-])/g, ""),
    text.replaceAll("$$", "$"),
    text.replace(/#.*$/s, "").trimEnd(),
    text.replace(/[\s&;|<>()].*$/s, ""),
    text.replace(/%.*$/s, ""),
    text.replace(/\\(.)/gs, "$1"),
    text.replace(/["'\\`]/g, ""),
  ].filter((rest) => rest !== "");
  return [
    ...textsOf(
      "secret_whitespace",
      "The sender's secret has a line break or a space around it. Remove it at the sender.",
      [`${text}\n`, `\n${text}`, `${text}\r\n`, `${text} `],
    ),
    ...textsOf(
      "secret_quotes",
      "The sender's secret has quotes around it. Remove them at the sender.",
      [`"${text}"`],
    ),
    ...textsOf(
      "secret_encoding",
      "The sender's secret is the base64 of this one. Decode it at the sender.",
      base64,
    ),
    ...textsOf(
      "secret_cut",
      "The sender's secret lacks what a shell or a file of variables takes out of it, such as $…, #… or a backslash. Put it in single quotes there.",
      cut,
    ),
  ];
}

/** Returns the secrets of senders where none is set, or where it is the name of a variable. */
function missing(current: string, sender: string): OtherText[] {
  const common = ["WEBHOOK_SECRET", "SECRET", "SIGNING_SECRET"];
  const names = common.flatMap((name) => [name, `${sender.toUpperCase()}_${name}`]);
  const unexpanded = names.flatMap((name) => [
    ...[`\${${name}}`, `$${name}`, `{{${name}}}`, `{{ ${name} }}`, name, `%${name}%`],
    ...[`process.env.${name}`, `${name}=${current}`],
  ]);
  return [
    ...textsOf(
      "secret_empty",
      "The sender signs with an empty secret: its setting is missing. Give it the secret.",
      ["", "undefined", "null", "None"],
    ),
    ...textsOf(
      "secret_variable",
      "The sender signs with the name of a variable in its secret. Give it the value alone.",
      unexpanded,
    ),
  ];
}

/** Keeps the first of equal keys. */
function distinct(keys: OtherKey[]): OtherKey[] {
  const groups = Map.groupBy(keys, ({ bytes }) => bytes.join());
  return [...groups.values()].flatMap(([first]) => first ?? []);
}
