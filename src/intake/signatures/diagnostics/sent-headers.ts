import type { SignatureScheme } from "../../../contract/webhooks/signature.ts";
import { type Algorithm, DIGEST_BYTES, decode, type Encoding, isHash } from "../hmac.ts";
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

const SIGNATURE_LIKE = /signature|hmac|(?:^|-)sign?$|-digest$|-sha(?:1|256)$|^x-trello-webhook$/;
const TIMESTAMP_LIKE = /timestamp|-time$|^date$/;
const ID_LIKE = /(?:webhook|message|event|request|delivery|svix)-?id$|-nonce$/;

/** Whether two texts name the same header. */
export const isSameHeader = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

/** Returns the names of the headers that look like signatures, the configured one first. */
export function signatureHeaders({ header }: TextScheme, headers: Headers): string[] {
  const like = [...headers].flatMap(([name, text]) => (looksSigned(name, text) ? name : []));
  const others = like.filter((name) => !isSameHeader(name, header));
  return [...(headers.has(header) ? [header] : []), ...others].slice(0, MAX_HEADERS);
}

export function looksSigned(name: string, text: string): boolean {
  if (/^(?:content|repr|want)-/.test(name)) return false;
  return SIGNATURE_LIKE.test(name) || (name === "authorization" && /^(?:hmac|sha)/i.test(text));
}

/** Returns every text in the headers that may be a signature. */
export function sentDigests(scheme: TextScheme, headers: Headers): SentDigest[] {
  return signatureHeaders(scheme, headers).flatMap((header) => {
    const text = headers.get(header)?.trim() ?? "";
    if (text.length > MAX_HEADER) return [];
    const expected = isSameHeader(header, scheme.header) ? signatureTexts(scheme, text) : [];
    const [spaced = ""] = SPACED.exec(text) ?? [];
    const plain = scheme.form === "items" ? expected : [];
    const further = [...plain, spaced].filter((token) => token !== "");
    const tokens = [...tokensOf(text), ...further.map((token) => ({ prefix: "", token }))];
    return tokens.flatMap(({ prefix, token }) =>
      readingsOf(token.replace(token === spaced ? /[\s:-]/g : "", ""), scheme).map((reading) => ({
        ...reading,
        isSpaced: token === spaced,
        header,
        prefix,
        inForm: expected.includes(token),
        form: formOfToken(text, token),
      })),
    );
  });
}

/** Returns the timestamps in the headers, the configured one first. */
export function sentTimestamps(scheme: TextScheme, headers: Headers): SentValue[] {
  const inSignatures = signatureHeaders(scheme, headers).flatMap((header): SentValue[] => {
    const value = headers.get(header) ?? "";
    const pairs = pairsOf(value).filter(
      ([name, text]) => /^(?:t|ts|timestamp)$/.test(name) && text !== "",
    );
    const number = numberIn(value);
    return [
      ...pairs.map(([pair, text]) => ({ text, header, pair })),
      ...(number === null ? [] : [{ text: number, header, pair: IN_ITEMS }]),
    ];
  });
  const named = valuesLike(headers, scheme.timestampHeader, TIMESTAMP_LIKE);
  return [...named, ...inSignatures].slice(0, 3);
}

/** Returns the message ids in the headers, the configured one first. */
export function sentIds(scheme: TextScheme, headers: Headers): SentValue[] {
  return valuesLike(headers, scheme.idHeader, ID_LIKE).slice(0, 2);
}

function valuesLike(headers: Headers, configured: string | null, like: RegExp): SentValue[] {
  const others = [...headers.keys()].filter(
    (name) => like.test(name) && !isSameHeader(name, configured ?? ""),
  );
  return [...(configured === null ? [] : [configured]), ...others].flatMap((header) => {
    const text = headers.get(header) ?? "";
    return text === "" || text.length > MAX_HEADER ? [] : [{ text, header, pair: null }];
  });
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

function readingsOf(token: string, { algorithm }: TextScheme) {
  return (["hex", "base64"] as const).flatMap((encoding) => {
    const bytes = decode(token, encoding);
    const made = bytes === null ? undefined : algorithmOf(bytes, algorithm);
    return bytes === null || made === undefined ? [] : [{ bytes, encoding, algorithm: made }];
  });
}

const HASHES: readonly Algorithm[] = ["sha1", "sha256", "sha384", "sha512"];

/** Returns the algorithm of a signature: a hash follows from its length; a key has one algorithm. */
function algorithmOf(
  bytes: Uint8Array,
  configured: TextScheme["algorithm"],
): SentDigest["algorithm"] | undefined {
  const { length } = bytes;
  if (isHash(configured)) return HASHES.find((hash) => DIGEST_BYTES[hash] === length);
  if (configured.startsWith("rsa-")) {
    return [128, 256, 384, 512].includes(length) ? configured : undefined;
  }
  const isDer = configured === "ecdsa-p256-sha256" && bytes[0] === 0x30 && length > 64;
  return length === 64 || (isDer && length <= 74) ? configured : undefined;
}
