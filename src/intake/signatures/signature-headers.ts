import type { PayloadValue } from "../../contract/webhooks/payload.ts";
import {
  headerName,
  type KeyScheme,
  type SignatureScheme,
  type SignedForm,
} from "../../contract/webhooks/signature.ts";
import { readSignedInstant } from "../../lib/instants.ts";
import { decode, SIGNATURE_BYTES } from "./hmac.ts";
import { partsOf, type SignedHeaderText, type StatedValues } from "./signed-message.ts";

/** What the headers of a signed request state. */
export interface Presented extends StatedValues {
  signatures: Uint8Array[];
  signedAt: number | null;
}

export interface Unverified {
  ok: false;
  rule: string;
  message: string;
}

export type SignatureVerdict =
  /** `signedAt`: the signed timestamp in epoch milliseconds; null if the scheme signs none. */
  | {
      ok: true;
      signedAt: number | null;
      usedPrevious: boolean;
      /** The claims of a token in the body, in place of that. */
      payload?: PayloadValue;
    }
  | Unverified;

/** During a rotation a request has two signatures; the rest are ignored. */
export const MAX_SIGNATURES = 10;
/** Headers of a list of signed ones; the rest are ignored. */
const MAX_LISTED = 100;
/** Characters of a header; a longer one is refused. */
export const MAX_HEADER = 4_096;

/** A scheme that covers a template's text. */
export type TextScheme = SignedForm & {
  algorithm: SignatureScheme["algorithm"] | KeyScheme["algorithm"];
};

type HeaderNames = Pick<SignatureScheme, "header" | "timestampHeader" | "idHeader">;

/** Reads the headers that a scheme names. */
export function readPresented(
  scheme: TextScheme,
  headers: Headers,
): { ok: true; presented: Presented } | Unverified {
  const names = namesIn(scheme, headers);
  const texts = [names.header, ...(scheme.furtherHeaders ?? [])]
    .map((name) => headers.get(name)?.trim() ?? "")
    .filter((sent) => sent !== "");
  const [text] = texts;
  const place = scheme.in === "body" ? "field" : "header";
  if (text === undefined)
    return unverified("signature_missing", `The ${place} ${names.header} is missing.`);
  if (texts.some(({ length }) => length > MAX_HEADER)) {
    return unverified("signature_oversized", `The ${place} ${names.header} is too long.`);
  }
  const conflict = conflictingHeader(scheme, names, headers);
  if (conflict !== null) {
    return unverified("headers_conflict", `The header ${conflict} contradicts ${names.header}.`);
  }
  const signatures = texts.flatMap((sent) => signaturesIn(scheme, sent)).slice(0, MAX_SIGNATURES);
  if (signatures.length === 0) {
    return unverified(
      "signature_malformed",
      `The ${place} ${names.header} has no signature of the form ${formOf(scheme)}.`,
    );
  }
  const values = signedValues(scheme, names, headers, text);
  return values.ok ? { ok: true, presented: { signatures, ...values.values } } : values;
}

export const unverified = (rule: string, message: string): Unverified => ({
  ok: false,
  rule,
  message,
});

/** Returns the first set of header names under which a signature was sent. */
export function namesIn(scheme: TextScheme, headers: Headers): HeaderNames {
  const names = [scheme, ...scheme.aliases].find(({ header }) => headers.has(header)) ?? scheme;
  const { header, timestampHeader, idHeader } = names;
  return { header, timestampHeader, idHeader };
}

/**
 * Returns a header of another set of names with another value. It is not signed: an attacker who
 * resends a captured request could add a different event id beside the signed one.
 */
function conflictingHeader(scheme: TextScheme, used: HeaderNames, headers: Headers): string | null {
  for (const names of [scheme, ...scheme.aliases]) {
    for (const kind of ["header", "timestampHeader", "idHeader"] as const) {
      const [name, usedName] = [names[kind], used[kind]];
      const value = name === null ? null : headers.get(name);
      if (value !== null && usedName !== null && value !== headers.get(usedName)) return name;
    }
  }
  return null;
}

/** Separates the values of the form `items`. */
const ITEMS = /[\s,;&]+/;

/** Returns the number among the items of a header, or null. */
export function numberIn(header: string): string | null {
  return header.split(ITEMS).find((item) => /^\d+$/.test(item)) ?? null;
}

/** The texts of a header that may be signatures, without what marks them. */
export function signatureTexts(
  { form, prefix, prefixOptional }: Pick<SignatureScheme, "form" | "prefix" | "prefixOptional">,
  header: string,
): string[] {
  if (form === "pairs")
    return pairsOf(header).flatMap(([name, value]) => (name === prefix ? value : []));
  if (form === "items") {
    return header
      .split(ITEMS)
      .map((item) => item.slice(item.lastIndexOf("|") + 1))
      .flatMap((item) => (item.startsWith(prefix) ? item.slice(prefix.length) : []));
  }
  const items = form === "list" ? header.split(/[\s,]*\s[\s,]*/) : [header];
  return items.flatMap((item) => {
    if (item.startsWith(prefix)) return item.slice(prefix.length);
    return prefixOptional ? item : [];
  });
}

function signaturesIn(scheme: TextScheme, header: string): Uint8Array[] {
  const length = SIGNATURE_BYTES[scheme.algorithm];
  return signatureTexts(scheme, header)
    .slice(0, MAX_SIGNATURES)
    .map((text) => decode(text, scheme.encoding))
    .filter((bytes) => bytes !== null)
    .filter((bytes) => length === null || bytes.length === length);
}

/** Splits `name=value` pairs at commas and semicolons. */
export function pairsOf(header: string): [name: string, value: string][] {
  return header.split(/[,;]/).map((pair) => {
    const at = pair.indexOf("=");
    return at < 0 ? [pair.trim(), ""] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
}

type SignedValues = Omit<Presented, "signatures">;

function signedValues(
  scheme: TextScheme,
  names: HeaderNames,
  headers: Headers,
  signature: string,
): { ok: true; values: SignedValues } | Unverified {
  const { timestampHeader, idHeader } = names;
  const parts = partsOf(scheme.template);
  const listed = signedHeaderText(scheme, headers);
  const unlisted = [
    parts.includes("timestamp") ? null : timestampHeader,
    parts.includes("id") ? null : idHeader,
  ].find((name) => name !== null && listed !== null && !isListed(listed, name));
  if (unlisted != null) {
    return unverified("header_unsigned", `The signed headers do not include ${unlisted}.`);
  }
  const place = scheme.in === "body" ? "field" : "header";
  const values: SignedValues = { timestamp: "", signedAt: null, id: "", signed: listed };
  if (parts.includes("timestamp") || (listed !== null && timestampHeader !== null)) {
    const own = scheme.form === "items" ? "a number" : `${scheme.timestampPair}=`;
    const where = timestampHeader ?? `${names.header} (${own})`;
    values.timestamp = timestampIn(scheme, names, headers, signature);
    values.signedAt = readSignedInstant(values.timestamp);
    if (values.timestamp === "")
      return unverified("timestamp_missing", `The timestamp in ${where} is missing.`);
    if (values.signedAt === null) {
      return unverified("timestamp_unreadable", `${where} is not a timestamp.`);
    }
  }
  if (parts.includes("id") || (listed !== null && idHeader !== null)) {
    values.id = (idHeader === null ? null : headers.get(idHeader)) ?? "";
    if (values.id === "") return unverified("id_missing", `The ${place} ${idHeader} is missing.`);
    if (values.id.length > MAX_HEADER)
      return unverified("id_oversized", `The header ${idHeader} is too long.`);
  }
  return { ok: true, values };
}

/** Returns the headers that a request says it signs; null for a scheme without such a list. */
export function signedHeaderText(
  { signedHeaders, header }: TextScheme,
  headers: Headers,
): SignedHeaderText | null {
  if (signedHeaders === undefined) return null;
  const { header: list, pair, item, separator } = signedHeaders;
  const names =
    list === undefined
      ? pairsOf(headers.get(header) ?? "").find(([name]) => name === pair)?.[1]
      : headers.get(list)?.trim();
  const written = listedNames(names ?? "").map((name) =>
    item.replace(/\{(name|value)\}/g, (_, part) =>
      part === "name" ? name : (headers.get(name)?.trim() ?? ""),
    ),
  );
  return { names: names ?? "", text: written.join(separator) };
}

/** Returns the header names in a list of them. */
const listedNames = (list: string): string[] =>
  list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => headerName.safeParse(name).success)
    .slice(0, MAX_LISTED);

const isListed = ({ names }: SignedHeaderText, name: string): boolean =>
  listedNames(names).includes(name.toLowerCase());

function timestampIn(
  { form, timestampPair }: TextScheme,
  { timestampHeader }: HeaderNames,
  headers: Headers,
  signature: string,
): string {
  if (timestampHeader !== null) return headers.get(timestampHeader)?.trim() ?? "";
  if (form === "items") return numberIn(signature) ?? "";
  return pairsOf(signature).find(([name]) => name === timestampPair)?.[1] ?? "";
}

function digestText(encoding: TextScheme["encoding"], bytes: number | null): string {
  if (bytes === null) return `<${encoding} of a signature>`;
  return encoding === "hex" ? `<${bytes * 2} hex digits>` : `<base64 of ${bytes} bytes>`;
}

/** Describes the expected value of a scheme's header, as `sha256=<64 hex digits>`. */
export function formOf(scheme: TextScheme): string {
  const { form, prefix, encoding, algorithm, timestampPair, template } = scheme;
  const digest = digestText(encoding, SIGNATURE_BYTES[algorithm]);
  if (
    form === "items" &&
    scheme.timestampHeader === null &&
    partsOf(template).includes("timestamp")
  )
    return `<timestamp>,${prefix}${digest}`;
  if (form !== "pairs") return `${prefix}${digest}`;
  return timestampPair === null
    ? `${prefix}=${digest}`
    : `${timestampPair}=<timestamp>,${prefix}=${digest}`;
}
