import {
  PRESETS,
  type PresetName,
  type SignatureScheme,
} from "../../../contract/inbound/signature.ts";
import { DIGEST_BYTES } from "../encoding.ts";
import { formOf, type Unverified } from "../presented.ts";
import { presetOf } from "../presets.ts";
import type { Match } from "./attempts.ts";
import { type SentDigest, signatureHeaders } from "./sent.ts";
import { templateNote } from "./templates.ts";

/** What is different in an attempt that matched, each in one sentence. */
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
      ? [`This is how ${preset} signs: set auth.hmac.preset to "${preset}".`]
      : [...headerNotes(scheme, match.digest), templateNote(scheme, match.template)];
  const found = [...missing, ...differs, ...rest].filter((note) => note !== null);
  return found.length > 0 ? found : [verdict.message];
}

/** What can be said of a signature that none of the variants makes. */
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
  "None of the known variants matches: the sender has another secret, or the body was changed on its way.";

/** What is not there, and what is there instead. */
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
      ? `${message} No header looks like a signature: the sender does not sign.`
      : `${message} These look like signatures: ${others.join(", ")}.`,
  ];
}

/** How the header of a digest differs from the configured one. */
function headerNotes(scheme: SignatureScheme, digest: SentDigest): string[] {
  const { header, prefix, encoding, algorithm } = digest;
  const isOther = header.toLowerCase() !== scheme.header.toLowerCase();
  const otherHash = algorithm !== scheme.algorithm;
  const otherText = encoding !== scheme.encoding;
  return [
    isOther &&
      `${header} (${algorithm}) was sent, and ${scheme.header} (${scheme.algorithm}) is configured: set header to "${header}".`,
    otherHash &&
      `${algorithm} was used, and ${scheme.algorithm} is configured: set algorithm to "${algorithm}".`,
    otherText &&
      `${encoding} was sent, and ${scheme.encoding} is configured: set encoding to "${encoding}".`,
    !isOther &&
      !digest.inForm &&
      `The signature came ${prefix === "" ? "without a prefix" : `after ${prefix}`}, and ${formOf({ ...scheme, encoding, algorithm })} is configured: set prefix to "${prefix}" and form to fit.`,
  ].filter((note) => note !== false);
}

/** The preset that signs as a matching attempt does, in the header where it was found. */
function presetThatSigns({ digest, template }: Match): PresetName | null {
  const name = PRESETS.find((preset) => {
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

/** Whether a scheme's signatures come under this header. */
function isUnder(scheme: SignatureScheme, name: string): boolean {
  return [scheme, ...scheme.aliases].some(
    ({ header }) => header.toLowerCase() === name.toLowerCase(),
  );
}

/** What a header looks like that holds no digest of any known length. */
function shapeNote(scheme: SignatureScheme, text: string): string {
  const { header, algorithm } = scheme;
  return `${header} holds ${shapeOf(scheme, text.trim())}, and ${algorithm} makes ${DIGEST_BYTES[algorithm]} bytes: it should look like ${formOf(scheme)}.`;
}

function shapeOf({ prefix }: SignatureScheme, text: string): string {
  if (text === prefix) return "only its prefix";
  const token = text.slice(-200).replace(/^.*[\s,=](?=.)/s, "");
  if (/^[0-9a-f]+$/i.test(token)) return `hex of ${token.length / 2} bytes`;
  if (!/^[\w+/-]+={0,2}$/.test(token)) return "neither hex nor base64";
  return `base64 of ${Math.floor((token.replace(/=+$/, "").length * 3) / 4)} bytes`;
}
