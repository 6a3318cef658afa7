import type { Cause } from "../../../contract/webhooks/advice.ts";
import type { PresetName, SignatureScheme } from "../../../contract/webhooks/signature.ts";
import type { InboundRequest } from "../../types.ts";
import { isHash } from "../hmac.ts";
import { presetOf, RECOGNIZED } from "../presets.ts";
import { formOf, namesIn, type TextScheme, type Unverified } from "../signature-headers.ts";
import { sentParts } from "../verify.ts";
import { type Diagnosis, diagnosisOf, type Finding } from "./finding.ts";
import type { OtherKey } from "./keys.ts";
import { isSameHeader, type SentDigest, sentDigests, signatureHeaders } from "./sent-headers.ts";
import {
  findMatch,
  losesTime,
  type Match,
  type Test,
  templateFinding,
  templatesOf,
  trials,
} from "./trials.ts";

/** A credential as a diagnosis tries it. */
interface Tried {
  /** The configured key first. */
  keys: OtherKey[];
  /** Whether key and text can be swapped. */
  isSwappable: boolean;
  /** For whom the sender signs. */
  audience: string;
  /** Returns a test of these signatures, and the number of HMACs that it costs. */
  testOf(digests: SentDigest[]): { test: Test; cost: number };
  /** Says what is left if nothing matches. */
  none(): Promise<Finding[]>;
}

/** Finds how a request was signed over a template's text, under the header names that it uses. */
export async function examineText<Scheme extends TextScheme>(
  scheme: Scheme,
  request: InboundRequest,
  verdict: Unverified,
  { keys, isSwappable, audience, testOf, none }: Tried,
): Promise<{ findings: Finding[]; match: Match | null; used: Scheme }> {
  const { sent: headers, material } = await sentParts(scheme, request);
  const used = { ...scheme, ...namesIn(scheme, headers) };
  const digests = sentDigests(used, headers);
  const { test, cost } = testOf(digests);
  const match =
    material === null || digests.length === 0
      ? null
      : await findMatch(
          trials(keys, templatesOf(used, headers), { ...material, audience }, isSwappable),
          cost,
          test,
        );
  const findings =
    match === null
      ? describeNone(used, headers, digests, verdict, digests.length === 0 ? [] : await none())
      : describeMatch(used, headers, match, verdict);
  return { findings, match, used };
}

/** Describes each difference of a trial that matched. */
function describeMatch(
  scheme: TextScheme,
  headers: Headers,
  match: Match,
  verdict: Unverified,
): Finding[] {
  const preset = otherPreset(scheme, match);
  const differs =
    preset === null
      ? [...headerFindings(scheme, match.digest), templateFinding(scheme, match.template)]
      : [otherSender(scheme, preset)];
  const found = [
    ...missingFindings(scheme, headers, verdict),
    ...differs,
    match.isSwapped ? SWAPPED : null,
    match.key.finding,
    match.other.finding,
  ].filter((finding) => finding !== null);
  return found.length > 0 ? found : [{ cause: "unknown", text: verdict.message }];
}

/** Describes a signature that no trial produces; `none` says what is left. */
function describeNone(
  scheme: TextScheme,
  headers: Headers,
  digests: SentDigest[],
  verdict: Unverified,
  none: Finding[],
): Finding[] {
  const missing = missingFindings(scheme, headers, verdict);
  const sent = headers.get(scheme.header)?.trim();
  if (sent === undefined) return [...missing, ...none];
  const own = digests.filter(({ header }) => isSameHeader(header, scheme.header));
  const [first] = own;
  if (first === undefined) {
    return missing.length > 0 && sent === "" ? missing : [...missing, shapeFinding(scheme)];
  }
  const fits = own.some(
    ({ inForm, encoding, algorithm }) =>
      inForm && encoding === scheme.encoding && algorithm === scheme.algorithm,
  );
  return [...missing, ...(fits ? [] : headerFindings(scheme, first)), ...none];
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
  const others = signatureHeaders(scheme, headers).join(", ");
  const hint =
    others === ""
      ? "No header looks like a signature: the sender does not sign its requests."
      : `These headers look like signatures: ${others}.`;
  return [{ cause: "header_missing", text: `${message} ${hint}` }];
}

/** The causes of refusals; null where the diagnosis finds a better one. */
const MISSING: Record<string, Cause | null> = {
  signature_mismatch: null,
  signature_malformed: null,
  timestamp_missing: "timestamp_missing",
  timestamp_unreadable: "timestamp_unit",
  id_missing: "id_missing",
  secret_unreadable: "secret_encoding",
  body_unsigned: "body_unsigned",
};

/** Describes how the header of a digest differs from the configured one. */
function headerFindings(scheme: TextScheme, digest: SentDigest): Finding[] {
  const { header, prefix, encoding, algorithm, isSpaced } = digest;
  const found: Finding[] = [];
  const isOther = !isSameHeader(header, scheme.header);
  if (isOther) {
    const text = `The request has ${header} (${algorithm}), but ${scheme.header} (${scheme.algorithm}) is configured. Set header to "${header}".`;
    found.push({ cause: "header_name", text });
  }
  if (algorithm !== scheme.algorithm) {
    const text = `The sender uses ${algorithm}, but ${scheme.algorithm} is configured. Set algorithm to "${algorithm}".`;
    found.push({ cause: "algorithm", text });
  }
  if (isSpaced) {
    const text = "The signature is hex with separators. Have the sender write the digits alone.";
    found.push({ cause: "encoding", text });
  }
  if (encoding !== scheme.encoding) {
    const text = `The signature is ${encoding}, but ${scheme.encoding} is configured. Set encoding to "${encoding}".`;
    found.push({ cause: "encoding", text });
  }
  if (!isOther && !digest.inForm && !isSpaced) {
    const has = prefix === "" ? "no prefix" : `the prefix ${prefix}`;
    const text = `The signature has ${has}, but ${formOf({ ...scheme, encoding, algorithm })} is configured. ${formAdvice(digest)}`;
    found.push({ cause: "prefix", text });
  }
  return found;
}

function formAdvice({ form }: SentDigest): string {
  if (form === null) return "Have the sender send the signature alone.";
  return `Set form to "${form.form}" and prefix to "${form.prefix}".`;
}

/** Returns the preset of another header that signs as a matching trial does, or null. */
export function otherPreset(
  { header: configured }: TextScheme,
  { digest: { header, encoding, algorithm }, template: { template } }: Match,
): PresetName | null {
  const name = RECOGNIZED.find((preset) => {
    const { scheme } = presetOf(preset);
    return (
      isUnder(scheme, header) &&
      scheme.template === template &&
      scheme.encoding === encoding &&
      scheme.algorithm === algorithm
    );
  });
  return name === undefined || isUnder(presetOf(name).scheme, configured) ? null : name;
}

/** Whether a scheme signs in this header. */
function isUnder(scheme: SignatureScheme, name: string): boolean {
  return [scheme, ...scheme.aliases].some(({ header }) => isSameHeader(header, name));
}

function otherSender(scheme: TextScheme, preset: PresetName): Finding {
  const { name, scheme: other } = presetOf(preset);
  const advice = losesTime(scheme, other)
    ? `, without a time. If ${name} is to call you, create an endpoint with the preset "${preset}" for it.`
    : `. Set auth.hmac.preset to "${preset}".`;
  return { cause: "other_sender", text: `The request is signed as ${preset} signs${advice}` };
}

const SWAPPED: Finding = {
  cause: "swapped",
  text: "The sender uses the text as the key of the HMAC, and the secret as its text. Swap them.",
};

/** Describes a header without a digest of a known length. */
function shapeFinding(scheme: TextScheme): Finding {
  const { header, algorithm } = scheme;
  const hint = isHash(algorithm)
    ? ""
    : " If the sender signs with a shared secret, use auth.hmac in place of auth.signature.";
  return {
    cause: "not_a_signature",
    text: `${header} must look like ${formOf(scheme)}.${hint}`,
  };
}

/** The causes of a token that is not verified, by the rules of verdicts. */
const OF_TOKEN: Record<string, Cause | undefined> = {
  signature_missing: "header_missing",
  signature_malformed: "not_a_signature",
  token_algorithm: "algorithm",
  token_expired: "signed_values",
  token_claim: "signed_values",
};

/** Explains why a JSON Web Token is not valid: the verdict tells all but a wrong key. */
export async function diagnoseJwt(
  { rule, message: text }: Unverified,
  none: () => Promise<Finding[]>,
): Promise<Diagnosis> {
  const cause = OF_TOKEN[rule];
  return diagnosisOf(cause === undefined ? await none() : [{ cause, text }]);
}
