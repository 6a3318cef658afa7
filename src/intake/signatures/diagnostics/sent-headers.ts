import type { SignatureScheme } from "../../../contract/webhooks/signature.ts";
import { type Algorithm, DIGEST_BYTES, decode, type Encoding, isHash } from "../hmac.ts";
import { presetOf, RECOGNIZED } from "../presets.ts";
import {
  MAX_HEADER,
  MAX_SIGNATURES,
  numberIn,
  pairsOf,
  signatureTexts,
  type TextScheme,
} from "../signature-headers.ts";

/** A text in a header that may be a signature, in one of its possible readings. */
export interface SentDigest {
  header: string;
  /** The text before it in the header, such as `sha256=`. */
  prefix: string;
  bytes: Uint8Array;
  encoding: Encoding;
  algorithm: TextScheme["algorithm"];
  /** How it is encoded a second time, which no setting undoes; null for once. */
  wrapping: string | null;
  /** Whether separators are between its bytes, which no setting undoes. */
  isSpaced: boolean;
  /** Whether it has the scheme's header and form. */
  inForm: boolean;
  /** The form of the header and the prefix under which it is found; null for none. */
  form: Pick<SignatureScheme, "form" | "prefix"> | null;
}

/** The place of a timestamp that is a number among the items of a header. */
export const IN_ITEMS = "";

/** A value that may fill a template's part, its header, and its name in a header of pairs or `IN_ITEMS`. */
export interface SentValue {
  text: string;
  header: string;
  pair: string | null;
}

const MAX_HEADERS = 8;
/** Hex with a separator between any two bytes. */
const SPACED = /(?<![\da-f])[\da-f]{2}(?:([\s:-])[\da-f]{2})(?:\1[\da-f]{2}){14,62}$/i;

/** Further signature headers, as senders write them. */
const FURTHER = ["X-Hub-Signature", "X-Square-Signature", "X-Webhook-Signature"];
const WRITTEN_NAMES = new Map(
  [
    ...RECOGNIZED.flatMap((name) => {
      const { scheme } = presetOf(name);
      return [scheme, ...scheme.aliases].flatMap(({ header, timestampHeader, idHeader }) =>
        [header, timestampHeader, idHeader].filter((one) => one !== null),
      );
    }),
    ...FURTHER,
  ].map((name) => [name.toLowerCase(), name]),
);

const SIGNATURE_LIKE = /signature|hmac|(?:^|-)sign?$|-digest$|-sha(?:1|256)$|^x-trello-webhook$/;
const TIMESTAMP_LIKE = /timestamp|-time$|^date$/;
const ID_LIKE = /(?:webhook|message|event|request|delivery|svix)-?id$|-nonce$/;

/** Returns the names of the headers that look like signatures, the configured one first. */
export function signatureHeaders(scheme: TextScheme, headers: Headers): string[] {
  const configured = scheme.header.toLowerCase();
  const named = [...headers]
    .filter(([name, text]) => name === configured || looksSigned(name, text))
    .map(([name]) => name);
  named.sort((a, b) => Number(b === configured) - Number(a === configured));
  return named.slice(0, MAX_HEADERS).map((name) => writtenName(scheme, name));
}

export function looksSigned(name: string, text: string): boolean {
  if (/^(?:content|repr|want)-/.test(name)) return false;
  return SIGNATURE_LIKE.test(name) || (name === "authorization" && /^(?:hmac|sha)/i.test(text));
}

/** Returns every text in the headers that may be a signature. */
export function sentDigests(scheme: TextScheme, headers: Headers): SentDigest[] {
  const algorithmOf = algorithms(scheme);
  return signatureHeaders(scheme, headers).flatMap((header) => {
    const text = headers.get(header)?.trim() ?? "";
    if (text.length > MAX_HEADER) return [];
    const isConfigured = header.toLowerCase() === scheme.header.toLowerCase();
    const expected = isConfigured ? signatureTexts(scheme, text) : [];
    const [spaced = ""] = SPACED.exec(text) ?? [];
    const plain = scheme.form === "items" ? expected : [];
    const further = [...plain, spaced].filter((token) => token !== "");
    const tokens = [...tokensOf(text), ...further.map((token) => ({ prefix: "", token }))];
    return tokens.flatMap(({ prefix, token }) =>
      readingsOf(token.replace(token === spaced ? /[\s:-]/g : "", ""), algorithmOf).map(
        (reading) => ({
          ...reading,
          isSpaced: token === spaced,
          header,
          prefix,
          inForm: expected.includes(token),
          form: formOfToken(text, token),
        }),
      ),
    );
  });
}

/** Returns the timestamps in the headers, the configured one first. */
export function sentTimestamps(scheme: TextScheme, headers: Headers): SentValue[] {
  const pairs = signatureHeaders(scheme, headers).flatMap((header) =>
    pairsOf(headers.get(header) ?? "")
      .filter(([name, value]) => /^(?:t|ts|timestamp)$/.test(name) && value !== "")
      .map(([pair, text]) => ({ text, header, pair })),
  );
  const numbers = signatureHeaders(scheme, headers).flatMap((header) => {
    const text = numberIn(headers.get(header) ?? "");
    return text === null ? [] : [{ text, header, pair: IN_ITEMS }];
  });
  const named = valuesLike(scheme, headers, scheme.timestampHeader, TIMESTAMP_LIKE);
  return [...named, ...pairs, ...numbers].slice(0, 3);
}

/** Returns the message ids in the headers, the configured one first. */
export function sentIds(scheme: TextScheme, headers: Headers): SentValue[] {
  return valuesLike(scheme, headers, scheme.idHeader, ID_LIKE).slice(0, 2);
}

function valuesLike(
  scheme: TextScheme,
  headers: Headers,
  configured: string | null,
  like: RegExp,
): SentValue[] {
  const first = configured?.toLowerCase();
  const found = [...headers].filter(([name]) => name === first || like.test(name));
  found.sort(([a], [b]) => Number(b === first) - Number(a === first));
  return found
    .filter(([, text]) => text !== "" && text.length <= MAX_HEADER)
    .map(([name, text]) => ({ text, header: writtenName(scheme, name), pair: null }));
}

/** Returns a header's name as its sender writes it; the platform lower-cases names. */
function writtenName(scheme: TextScheme, name: string): string {
  const configured = [scheme.header, scheme.timestampHeader, scheme.idHeader];
  return configured.find((one) => one?.toLowerCase() === name) ?? WRITTEN_NAMES.get(name) ?? name;
}

/**
 * Returns the form and the prefix under which a scheme finds a text in a header, the plainest first. A
 * prefix fits every request: it holds no other value, such as a timestamp.
 */
function formOfToken(text: string, token: string): SentDigest["form"] {
  const before = text.slice(0, text.indexOf(token));
  const isFixed = !/[,;]|\d{6}/.test(before);
  const pair = pairsOf(text).find(([, value]) => value === token)?.[0];
  const item = text.split(/\s+/).find((each) => each.endsWith(token));
  const forms = [
    ...(isFixed ? [{ form: "plain" as const, prefix: before }] : []),
    ...(pair === undefined ? [] : [{ form: "pairs" as const, prefix: pair }]),
    ...(item === undefined || !isFixed
      ? []
      : [{ form: "list" as const, prefix: item.slice(0, -token.length) }]),
    { form: "items" as const, prefix: "" },
  ];
  const found = forms.find(({ form, prefix }) =>
    signatureTexts({ form, prefix, prefixOptional: false }, text).includes(token),
  );
  return found ?? null;
}

/** Splits at spaces, commas and semicolons; each text with and without its leading `name=`s and quotes. */
function tokensOf(text: string): { prefix: string; token: string }[] {
  const items = text.split(/[\s,;]+/).filter((item) => item !== "");
  return items.slice(0, 2 * MAX_SIGNATURES).flatMap((item) => {
    const found = [{ prefix: "", token: item }];
    let [prefix, rest] = ["", item];
    for (let n = 0; n < 3; n += 1) {
      const [, name, value] = /^([\w.-]{1,20}[=:]|0x)(.+)$/i.exec(rest) ?? [];
      if (name === undefined || value === undefined) break;
      [prefix, rest] = [prefix + name, value];
      found.push({ prefix, token: rest });
    }
    const unquoted = /^(["'])(.+)\1$/.exec(rest)?.[2];
    return unquoted === undefined ? found : [...found, { prefix, token: unquoted }];
  });
}

type Reading = Pick<SentDigest, "bytes" | "encoding" | "algorithm" | "wrapping">;
/** Returns the algorithm of a signature with these bytes. */
type AlgorithmOf = (bytes: Uint8Array) => SentDigest["algorithm"] | undefined;

function readingsOf(token: string, algorithmOf: AlgorithmOf): Reading[] {
  return [...onceRead(token, null, algorithmOf), ...twiceRead(token, algorithmOf)];
}

function onceRead(token: string, wrapping: string | null, algorithmOf: AlgorithmOf): Reading[] {
  return (["hex", "base64"] as const).flatMap((encoding) => {
    const bytes = decode(token, encoding);
    const algorithm = bytes === null ? undefined : algorithmOf(bytes);
    return bytes === null || algorithm === undefined
      ? []
      : [{ bytes, encoding, algorithm, wrapping }];
  });
}

/** Reads a digest whose text was encoded again. */
function twiceRead(token: string, algorithmOf: AlgorithmOf): Reading[] {
  const outer = (["base64", "hex"] as const).flatMap((encoding) => {
    const bytes = decode(token, encoding);
    const inner = bytes === null ? "" : new TextDecoder().decode(bytes).trim();
    return onceRead(inner, encoding, algorithmOf);
  });
  const escaped = token.includes("%") ? percentDecoded(token) : null;
  return escaped === null
    ? outer
    : [...outer, ...onceRead(escaped, "percent-encoding", algorithmOf)];
}

/** Decodes percent-escapes; null for a text with others. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const HASHES = ["sha1", "sha256", "sha384", "sha512"] as const;

/** Returns how the algorithm of a signature is told: a hash by its length; a key has one algorithm. */
function algorithms({ algorithm }: TextScheme): AlgorithmOf {
  if (isHash(algorithm)) {
    return ({ length }): Algorithm | undefined =>
      HASHES.find((hash) => DIGEST_BYTES[hash] === length);
  }
  return (bytes) => (isSignature(algorithm, bytes) ? algorithm : undefined);
}

/** Whether bytes look like a signature with a private key. */
function isSignature(algorithm: TextScheme["algorithm"], { length, ...bytes }: Uint8Array) {
  if (algorithm === "rsa-sha256") return [128, 256, 384, 512].includes(length);
  const isDer = algorithm === "ecdsa-p256-sha256" && bytes[0] === 0x30 && length > 64;
  return length === 64 || (isDer && length <= 74);
}
