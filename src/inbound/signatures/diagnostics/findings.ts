import type { PresetName, SignatureScheme } from "../../../contract/inbound/signature.ts";
import { DIGEST_BYTES } from "../hmac.ts";
import { presetOf, RECOGNIZED } from "../presets.ts";
import { formOf, type Unverified } from "../signature-headers.ts";
import { type SentDigest, signatureHeaders } from "./sent-headers.ts";
import type { Match } from "./variants.ts";
import { templateNote } from "./variants.ts";

/** Describes each difference of an attempt that matched, in one sentence. */
export function describeMatch(
  scheme: SignatureScheme,
  headers: Headers,
  match: Match,
  verdict: Unverified,
): string[] {
  const missing = missingNote(scheme, headers, verdict);
  const rest = [match.key.note, match.other.note];
  const preset = presetThatSigns(match);
  const differs =
    preset !== null && !isUnder(presetOf(preset).scheme, scheme.header)
      ? [`The request is signed as ${preset} signs. Set auth.hmac.preset to "${preset}".`]
      : [...headerNotes(scheme, match.digest), templateNote(scheme, match.template)];
  const found = [...missing, ...differs, ...rest].filter((note) => note !== null);
  return found.length > 0 ? found : [verdict.message];
}

/** Describes a signature that no variant produces. */
export function describeNone(
  scheme: SignatureScheme,
  headers: Headers,
  digests: SentDigest[],
  verdict: Unverified,
): string[] {
  const named = missingNote(scheme, headers, verdict);
  if (!headers.has(scheme.header)) return [...named, ...(digests.length > 0 ? [NO_VARIANT] : [])];
  const own = digests.filter(({ header }) => header.toLowerCase() === scheme.header.toLowerCase());
  if (own.length === 0) return [...named, shapeNote(scheme, headers.get(scheme.header) ?? "")];
  const fits = own.some(
    (digest) =>
      digest.inForm && digest.encoding === scheme.encoding && digest.algorithm === scheme.algorithm,
  );
  const [first] = own;
  const differs = fits || first === undefined ? [] : headerNotes(scheme, first);
  return [...named, ...differs, NO_VARIANT];
}

const NO_VARIANT =
  "No known variant matches: the sender uses another secret, or the body was changed in transit.";

/** Describes what is missing, and the headers that look like it. */
function missingNote(
  scheme: SignatureScheme,
  headers: Headers,
  { rule, message }: Unverified,
): string[] {
  if (rule === "signature_mismatch" || rule === "signature_malformed") return [];
  if (rule !== "signature_missing") return [message];
  const others = signatureHeaders(scheme, headers).filter(
    (name) => name.toLowerCase() !== scheme.header.toLowerCase(),
  );
  return [
    others.length === 0
      ? `${message} No header looks like a signature: the sender does not sign its requests.`
      : `${message} These headers look like signatures: ${others.join(", ")}.`,
  ];
}

/** Describes how the header of a digest differs from the configured one. */
function headerNotes(scheme: SignatureScheme, digest: SentDigest): string[] {
  const { header, prefix, encoding, algorithm } = digest;
  const isOther = header.toLowerCase() !== scheme.header.toLowerCase();
  const otherHash = algorithm !== scheme.algorithm;
  const otherText = encoding !== scheme.encoding;
  return [
    isOther &&
      `The request has ${header} (${algorithm}), but ${scheme.header} (${scheme.algorithm}) is configured. Set header to "${header}".`,
    otherHash &&
      `The sender uses ${algorithm}, but ${scheme.algorithm} is configured. Set algorithm to "${algorithm}".`,
    otherText &&
      `The signature is ${encoding}, but ${scheme.encoding} is configured. Set encoding to "${encoding}".`,
    !isOther &&
      !digest.inForm &&
      `The signature has ${prefix === "" ? "no prefix" : `the prefix ${prefix}`}, but ${formOf({ ...scheme, encoding, algorithm })} is configured. Set prefix to "${prefix}" and form to match.`,
  ].filter((note) => note !== false);
}

/** Returns the preset that signs as a matching attempt does, in the same header. */
function presetThatSigns({ digest, template }: Match): PresetName | null {
  const name = RECOGNIZED.find((preset) => {
    const { scheme } = presetOf(preset);
    return (
      isUnder(scheme, digest.header) &&
      scheme.template === template.template &&
      scheme.encoding === digest.encoding &&
      scheme.algorithm === digest.algorithm
    );
  });
  return name ?? null;
}

/** Whether a scheme signs in this header. */
function isUnder(scheme: SignatureScheme, name: string): boolean {
  return [scheme, ...scheme.aliases].some(
    ({ header }) => header.toLowerCase() === name.toLowerCase(),
  );
}

/** Describes a header without a digest of a known length. */
function shapeNote(scheme: SignatureScheme, text: string): string {
  const { header, algorithm } = scheme;
  return `${header} is ${shapeOf(scheme, text.trim())}, but ${algorithm} makes ${DIGEST_BYTES[algorithm]} bytes. The header must look like ${formOf(scheme)}.`;
}

function shapeOf({ prefix }: SignatureScheme, text: string): string {
  if (text === prefix) return "only its prefix";
  const token = text.slice(-200).replace(/^.*[\s,=](?=.)/s, "");
  if (/^[0-9a-f]+$/i.test(token)) return `hex of ${token.length / 2} bytes`;
  if (!/^[\w+/-]+={0,2}$/.test(token)) return "neither hex nor base64";
  return `base64 of ${Math.floor((token.replace(/=+$/, "").length * 3) / 4)} bytes`;
}
