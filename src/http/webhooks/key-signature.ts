import type { CreateEndpointBody, StoredAuth } from "../../contract/webhooks/endpoint.ts";
import type { Fault } from "../../contract/webhooks/payload.ts";
import {
  jwtScheme,
  messageScheme,
  type PublicKeyScheme,
} from "../../contract/webhooks/signature.ts";
import { readCertificate } from "../../intake/signatures/certificates.ts";
import { customKeySchemeOf, schemeFault } from "../../intake/signatures/custom-scheme.ts";
import { OF_RFC } from "../../intake/signatures/key-signature.ts";
import { needsKey } from "../../intake/signatures/presets/preset.ts";
import { presetOfKey } from "../../intake/signatures/presets.ts";
import { importPublicKey, readKeySet } from "../../intake/signatures/public-key.ts";
import { checkAddress } from "../../outbound/address.ts";

type SignatureBody = NonNullable<CreateEndpointBody["auth"]["signature"]>;
export type StoredSignature = NonNullable<StoredAuth["signature"]>;

/** Returns a signature with a private key as it is stored, without its secret. */
export function storedSignature(body: SignatureBody): Omit<StoredSignature, "secret"> {
  const publicKey = body.publicKey ?? null;
  const audience = "audience" in body ? (body.audience ?? null) : null;
  if ("preset" in body) {
    return { preset: body.preset, scheme: presetOfKey(body.preset).scheme, publicKey, audience };
  }
  return { preset: null, scheme: customScheme(body), publicKey, audience };
}

type CustomBody = Exclude<SignatureBody, { preset: unknown }>;

function customScheme(body: CustomBody): PublicKeyScheme {
  if (body.algorithm === "jwt") return jwtScheme.parse({ ...body, prefix: body.prefix ?? "" });
  if (body.algorithm === "http-message-signatures") return messageScheme.parse(body);
  return customKeySchemeOf(body);
}

/** Returns the faults of a signature with a private key. */
export async function signatureFaults(
  body: SignatureBody,
  before: StoredSignature | undefined,
): Promise<Fault[]> {
  const { scheme, publicKey, audience } = storedSignature(body);
  const given = publicKey === null ? [] : await publicKeyFaults(publicKey, scheme);
  if (!("preset" in body)) {
    const invalid = "template" in scheme ? schemeFault(scheme, "auth.signature") : null;
    const keys = body.algorithm === "jwt" ? keySetFaults(body) : [];
    return [...(invalid === null ? [] : [invalid]), ...keys, ...given];
  }
  const { preset, secret } = body;
  const sender = presetOfKey(preset);
  const { audience: expected } = sender;
  const isKept = before?.preset === preset && before.secret !== null;
  return [
    ...given,
    ...(publicKey === null && needsKey(sender)
      ? [fault("publicKey", `is required: the public key of ${sender.name}`)]
      : []),
    ...(expected?.isRequired && audience === null
      ? [fault("audience", `is required: the ${expected.name}`)]
      : []),
    ...(preset === "plaid" && publicKey === null && secret === undefined && !isKept
      ? [fault("secret", "is required: client_id:secret, to fetch Plaid's keys")]
      : []),
  ];
}

/** Returns the faults of where the keys of a token come from: a key, or the sender's address. */
function keySetFaults(body: Extract<CustomBody, { algorithm: "jwt" }>): Fault[] {
  const { publicKey, jwksUrl, certificates } = body;
  if (jwksUrl === undefined) {
    const message = "is required, unless jwksUrl names the address of the sender's keys";
    return publicKey === undefined ? [fault("publicKey", message)] : [];
  }
  if (publicKey !== undefined) {
    return [fault("jwksUrl", "must not be set together with publicKey")];
  }
  if (certificates !== undefined) {
    return [fault("jwksUrl", "must not be set together with certificates")];
  }
  const policy = { allowLoopback: false, ownHosts: [], schemes: ["https" as const] };
  const checked = checkAddress(jwksUrl, policy);
  return checked.ok ? [] : [fault("jwksUrl", `cannot be used: ${checked.reason}`)];
}

async function publicKeyFaults(text: string, scheme: PublicKeyScheme): Promise<Fault[]> {
  return (await isKeyOf(text, scheme)) ? [] : [fault("publicKey", keyText(scheme))];
}

async function isKeyOf(text: string, scheme: PublicKeyScheme): Promise<boolean> {
  if (scheme.algorithm !== "jwt") {
    const isMessage = scheme.algorithm === "http-message-signatures";
    const algorithm = isMessage ? OF_RFC[scheme.signatureAlgorithm] : scheme.algorithm;
    return (await importPublicKey(text, algorithm)) !== null;
  }
  if (scheme.certificates !== undefined) return isCertificate(text);
  if (readKeySet(text) !== null) return true;
  const algorithms = ["rsa-sha256", "ecdsa-p256-sha256", "ed25519"] as const;
  const keys = await Promise.all(algorithms.map((algorithm) => importPublicKey(text, algorithm)));
  return keys.some((key) => key !== null);
}

function isCertificate(text: string): boolean {
  try {
    return readCertificate(text).ca;
  } catch {
    return false;
  }
}

function keyText(scheme: PublicKeyScheme): string {
  const { algorithm } = scheme;
  if (algorithm === "jwt") {
    return scheme.certificates === undefined
      ? "must be an RSA, P-256 or Ed25519 key: PEM, a certificate, a JWK or a JWKS"
      : "must be a root certificate in PEM";
  }
  const name = algorithm === "http-message-signatures" ? scheme.signatureAlgorithm : algorithm;
  return `must be a key for ${name}: PEM, a certificate, a JWK, hex or base64`;
}

const fault = (field: string, message: string): Fault => ({
  path: `auth.signature.${field}`,
  rule: "public_key",
  message,
});
