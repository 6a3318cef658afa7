import type { Advice, AdviceChange, Cause } from "../../../contract/webhooks/advice.ts";
import type { PresetName, SignatureScheme } from "../../../contract/webhooks/signature.ts";
import type { InboundRequest, OpenSecret, Others } from "../../types.ts";
import { isHash, SIGNATURE_BYTES } from "../hmac.ts";
import { presetOf, RECOGNIZED } from "../presets.ts";
import { formOf, pairsOf, type TextScheme, type Unverified } from "../signature-headers.ts";
import type { Finding } from "./keys.ts";
import { type SentDigest, signatureHeaders } from "./sent-headers.ts";
import { losesTime, templateFinding } from "./templates.ts";
import type { Findable, Match } from "./variants.ts";

/** A request whose signature was not verified. */
export interface UnverifiedRequest {
  scheme: SignatureScheme;
  /** The preset of the scheme; null for a custom one. */
  preset: PresetName | null;
  secret: OpenSecret;
  request: InboundRequest;
  /** Epoch milliseconds. */
  now: number;
  verdict: Unverified;
  others: Others;
}

/** What a diagnosis found. */
export interface Diagnosis {
  /** Sentences that say what differs and what to change. */
  sentences: string[];
  advice: Advice | null;
}

/** Returns a diagnosis of these findings, with the change that was tried. */
export function diagnosisOf(findings: Finding[], change: AdviceChange | null = null): Diagnosis {
  return {
    sentences: findings.map(({ text }) => text),
    advice: { causes: findings.map(({ cause }) => cause), change },
  };
}

/** Describes each difference of an attempt that matched. */
export function describeMatch(
  scheme: TextScheme,
  headers: Headers,
  match: Match<Findable>,
  verdict: Unverified,
): Finding[] {
  const preset = otherPreset(scheme, match);
  const differs =
    preset === null
      ? [
          ...headerFindings(scheme, match.digest),
          templateFinding(scheme, match.template),
          unitFinding(headers, match),
        ]
      : [
          {
            cause: "other_sender" as const,
            text: `The request is signed as ${preset} signs${otherAdvice(scheme, preset)}`,
          },
        ];
  const all = [
    ...missingFindings(scheme, headers, verdict),
    ...differs,
    hashFinding(match),
    match.key.finding,
    match.other.finding,
  ];
  const found = all.filter((finding) => finding !== null);
  return found.length > 0 ? found : [{ cause: "unknown", text: verdict.message }];
}

function otherAdvice(scheme: TextScheme, preset: PresetName): string {
  return losesTime(scheme, presetOf(preset).scheme)
    ? `, without a time. If ${presetOf(preset).name} is to call you, create an endpoint with the preset "${preset}" for it.`
    : `. Set auth.hmac.preset to "${preset}".`;
}

/** Returns the preset of another header that signs as a matching attempt does, or null. */
export function otherPreset(scheme: TextScheme, match: Match<Findable>): PresetName | null {
  const preset = presetThatSigns(match);
  return preset === null || isUnder(presetOf(preset).scheme, scheme.header) ? null : preset;
}

function unitFinding(
  headers: Headers,
  { template: { timestamp } }: Match<Findable>,
): Finding | null {
  if (timestamp === null) return null;
  const { header, pair, text } = timestamp;
  const value = headers.get(header)?.trim() ?? "";
  const sent = pair === null ? value : pairsOf(value).find(([name]) => name === pair)?.[1];
  return sent === undefined || sent === text ? null : unitOf(text, sent);
}

function unitOf(signed: string, sent: string): Finding {
  const unit = (text: string) => {
    if (!/^\d+$/.test(text)) return "as text";
    return text.length > 11 ? "in milliseconds" : "in seconds";
  };
  return {
    cause: "timestamp_unit",
    text: `The sender signs the timestamp ${unit(signed)} but sends it ${unit(sent)}. Have it send what it signs.`,
  };
}

function hashFinding({ hash, digest }: Match<Findable>): Finding | null {
  if (hash === "hmac") return null;
  if (hash === "swapped") {
    return {
      cause: "swapped",
      text: "The sender uses the text as the key of the HMAC, and the secret as its text. Swap them.",
    };
  }
  const of = {
    message: "the text",
    key_message: "the secret and the text",
    message_key: "the text and the secret",
  };
  return {
    cause: "plain_hash",
    text: `The signature is a plain ${digest.algorithm} of ${of[hash]}, not an HMAC with the secret as its key${hash === "message" ? ": anyone can compute it" : ""}. Have the sender compute an HMAC.`,
  };
}

/** Describes a signature that no variant produces; `none` says what is left. */
export function describeNone(
  scheme: TextScheme,
  headers: Headers,
  digests: SentDigest[],
  verdict: Unverified,
  none: Finding[],
): Finding[] {
  const named = missingFindings(scheme, headers, verdict);
  if (!headers.has(scheme.header)) return [...named, ...(digests.length > 0 ? none : [])];
  const own = digests.filter(({ header }) => header.toLowerCase() === scheme.header.toLowerCase());
  if (own.length === 0) {
    if (named.length > 0 && (headers.get(scheme.header) ?? "").trim() === "") return named;
    return [...named, shapeFinding(scheme, headers.get(scheme.header) ?? "")];
  }
  const fits = own.some(
    (digest) =>
      digest.inForm && digest.encoding === scheme.encoding && digest.algorithm === scheme.algorithm,
  );
  const [first] = own;
  const differs = fits || first === undefined ? [] : headerFindings(scheme, first);
  return [...named, ...differs, ...none];
}

/** The finding where no variant matches. */
export const NO_VARIANT: Finding = {
  cause: "unknown",
  text: "No known variant matches: the sender uses another secret, or the body was changed in transit.",
};

/** `$NAME`, `${NAME}`, `{{ name }}`, `%NAME%`, `process.env.NAME` and `WEBHOOK_SECRET`. */
export const VARIABLE =
  /^\s*(?:\$\{?\w+\}?|\{\{.*\}\}|%\w+%|process\.env\.\w+|[A-Z]+(?:_[A-Z]+)*_(?:SECRET|KEY|TOKEN))\s*$/;

/** Recognizes a secret that is not one of webhooks. */
export function secretFindings(secret: string): Finding[] {
  if (VARIABLE.test(secret)) {
    const text = "The stored secret is the name of a variable. Save its value instead.";
    return [{ cause: "secret_variable", text }];
  }
  if (!/^(?:sk|pk|rk)_(?:live|test)_/.test(secret)) return [];
  return [
    {
      cause: "secret_of_api",
      text: "The stored secret is an API key. Save the signing secret of the webhook instead, such as whsec_…",
    },
  ];
}

/** Describes what is missing, and the headers that look like it. */
function missingFindings(
  scheme: TextScheme,
  headers: Headers,
  { rule, message }: Unverified,
): Finding[] {
  const cause = MISSING[rule];
  if (cause === null) return [];
  if (rule !== "signature_missing") return [{ cause: cause ?? "unknown", text: message }];
  if (headers.has(scheme.header)) {
    const text = `The header ${scheme.header} is empty: the sender has no secret, or a proxy removes the value.`;
    return [{ cause: "header_empty", text }];
  }
  const others = signatureHeaders(scheme, headers).filter(
    (name) => name.toLowerCase() !== scheme.header.toLowerCase(),
  );
  const text =
    others.length === 0
      ? `${message} No header looks like a signature: the sender does not sign its requests.`
      : `${message} These headers look like signatures: ${others.join(", ")}.`;
  return [{ cause: "header_missing", text }];
}

/** The causes of refusals; null where the diagnosis finds a better one. */
const MISSING: Record<string, Cause | null> = {
  signature_mismatch: null,
  signature_malformed: null,
  signature_missing: "header_missing",
  timestamp_missing: "timestamp_missing",
  timestamp_unreadable: "timestamp_unit",
  id_missing: "id_missing",
  secret_unreadable: "secret_encoding",
  body_unsigned: "body_unsigned",
};

/** Describes how the header of a digest differs from the configured one. */
function headerFindings(scheme: TextScheme, digest: SentDigest): Finding[] {
  const { header, prefix, encoding, algorithm, wrapping } = digest;
  const isOther = header.toLowerCase() !== scheme.header.toLowerCase();
  const otherHash = algorithm !== scheme.algorithm;
  const otherText = encoding !== scheme.encoding;
  const all: (Finding | false)[] = [
    isOther && {
      cause: "header_name",
      text: `The request has ${header} (${algorithm}), but ${scheme.header} (${scheme.algorithm}) is configured. Set header to "${header}".`,
    },
    otherHash && {
      cause: "algorithm",
      text: `The sender uses ${algorithm}, but ${scheme.algorithm} is configured. Set algorithm to "${algorithm}".`,
    },
    wrapping !== null && {
      cause: "encoded_twice",
      text: `The signature is ${encoding} that is encoded again in ${wrapping}. Have the sender encode it once.`,
    },
    digest.isSpaced && {
      cause: "encoding",
      text: "The signature is hex with separators. Have the sender write the digits alone.",
    },
    wrapping === null &&
      otherText && {
        cause: "encoding",
        text: `The signature is ${encoding}, but ${scheme.encoding} is configured. Set encoding to "${encoding}".`,
      },
    !isOther &&
      !digest.inForm &&
      !digest.isSpaced && {
        cause: "prefix",
        text: `The signature has ${prefix === "" ? "no prefix" : `the prefix ${prefix}`}, but ${formOf({ ...scheme, encoding, algorithm })} is configured. ${formAdvice(digest)}`,
      },
  ];
  return all.filter((finding) => finding !== false);
}

function formAdvice({ form }: SentDigest): string {
  if (form === null) return "Have the sender send the signature alone.";
  return `Set form to "${form.form}" and prefix to "${form.prefix}".`;
}

/** Returns the preset that signs as a matching attempt does, in the same header. */
function presetThatSigns({ digest, template }: Match<Findable>): PresetName | null {
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
function shapeFinding(scheme: TextScheme, text: string): Finding {
  const { header, algorithm } = scheme;
  const length = SIGNATURE_BYTES[algorithm];
  const made = length === null ? "a signature of another length" : `${length} bytes`;
  const shape = shapeOf(scheme, text.trim());
  // Only an HMAC is as short as a hash.
  const isShared = !isHash(algorithm) && / of (?:20|32|48) bytes$/.test(shape);
  const hint = isShared
    ? " If the sender signs with a shared secret, use auth.hmac in place of auth.signature."
    : "";
  return {
    cause: "not_a_signature",
    text: `${header} is ${shape}, but ${algorithm} makes ${made}. The header must look like ${formOf(scheme)}.${hint}`,
  };
}

function shapeOf({ prefix }: TextScheme, text: string): string {
  if (text === prefix) return "only its prefix";
  const token = text.slice(-200).replace(/^.*[\s,=](?=.)/s, "");
  if (/^[0-9a-f]+$/i.test(token)) return `hex of ${token.length / 2} bytes`;
  if (!/^[\w+/-]+={0,2}$/.test(token)) return "neither hex nor base64";
  return `base64 of ${Math.floor((token.replace(/=+$/, "").length * 3) / 4)} bytes`;
}
