import { createHash, sign } from "node:crypto";
import { exportJWK, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { createEndpointBody } from "../../../../src/contract/webhooks/endpoint.ts";
import { signatureFaults } from "../../../../src/http/webhooks/auth-faults.ts";
import type { SenderPort } from "../../../../src/ports/webhooks.ts";
import { CHAIN, pemOf } from "../../../support/certificates.ts";
import { derOfPair, ED25519, P256, pemOfPair, RSA } from "../../../support/key-pairs.ts";
import { RECEIVED_AT } from "../../../support/signed-request.ts";
import { keyVerdictOf } from "./key-verdict.ts";

const SECOND = String(RECEIVED_AT / 1_000);
const BODY = '{"id":"evt_1","text":"Grüße"}';

describe("a custom signature with a private key is verified:", () => {
  const text = Buffer.from(`${SECOND}.${BODY}`);
  const RAW_HEX = derOfPair(ED25519).subarray(-32).toString("hex");
  const IN_DER = derOfPair(P256).toString("base64");
  const AS_JWK = JSON.stringify(RSA.publicKey.export({ format: "jwk" }));
  const RAW = { key: P256.privateKey, dsaEncoding: "ieee-p1363" } as const;
  it.each([
    ["ed25519", "PEM", pemOfPair(ED25519), sign(null, text, ED25519.privateKey)],
    ["ed25519", "raw hex", RAW_HEX, sign(null, text, ED25519.privateKey)],
    ["ecdsa-p256-sha256", "base64 of DER", IN_DER, sign("sha256", text, P256.privateKey)],
    ["ecdsa-p256-sha256", "PEM, with a raw signature", pemOfPair(P256), sign("sha256", text, RAW)],
    ["rsa-sha1", "PEM", pemOfPair(RSA), sign("sha1", text, RSA.privateKey)],
    ["rsa-sha256", "PEM", pemOfPair(RSA), sign("sha256", text, RSA.privateKey)],
    ["rsa-sha512", "PEM", pemOfPair(RSA), sign("sha512", text, RSA.privateKey)],
    ["rsa-sha256", "JWK", AS_JWK, sign("sha256", text, RSA.privateKey)],
  ])("%s, the key as %s", async (algorithm, _, publicKey, signature) => {
    const setting = {
      algorithm,
      publicKey,
      encoding: "base64",
      template: "{timestamp}.{body}",
      timestampHeader: "X-Timestamp",
    };
    const headers = { "x-webhook-signature": signature.toString("base64"), "x-timestamp": SECOND };
    expect(await keyVerdictOf(setting, { headers, body: BODY })).toEqual({
      ok: true,
      signedAt: RECEIVED_AT,
      usedPrevious: false,
    });
    const changed = await keyVerdictOf(setting, { headers, body: `${BODY} ` });
    expect(changed).toMatchObject({ rule: "signature_mismatch" });
  });
});

it("a signature by another hash than the configured one is refused", async () => {
  const setting = { algorithm: "rsa-sha1", encoding: "base64", publicKey: pemOfPair(RSA) };
  const signature = sign("sha256", Buffer.from(BODY), RSA.privateKey).toString("base64");
  const headers = { "x-webhook-signature": signature };
  expect(await keyVerdictOf(setting, { headers, body: BODY })).toMatchObject({
    rule: "signature_mismatch",
  });
});

describe("a JSON Web Token", () => {
  const setting = async (changes: object = {}) => ({
    algorithm: "jwt",
    publicKey: JSON.stringify({ keys: [{ ...(await exportJWK(P256.publicKey)), kid: "k1" }] }),
    bodyClaim: "body_sha256",
    issuer: "https://sender.example",
    audience: "shop",
    ...changes,
  });
  const token = (claims: object, at = RECEIVED_AT / 1_000) =>
    new SignJWT({
      iss: "https://sender.example",
      aud: "shop",
      body_sha256: createHash("sha256").update(BODY).digest("hex"),
      ...claims,
    })
      .setProtectedHeader({ alg: "ES256", kid: "k1" })
      .setIssuedAt(at)
      .sign(P256.privateKey);
  const verdict = async (jwt: string, changes: object = {}, body = BODY) =>
    keyVerdictOf(await setting(changes), { headers: { authorization: `Bearer ${jwt}` }, body });

  it("is verified with the key that it names", async () => {
    expect(await verdict(await token({}))).toMatchObject({ ok: true, signedAt: RECEIVED_AT });
  });

  it.each([
    ["for another audience", { aud: "other" }, "token_claim"],
    ["of another issuer", { iss: "https://other.example" }, "token_claim"],
    ["of another body", { body_sha256: "00" }, "signature_mismatch"],
    ["that has expired", { exp: RECEIVED_AT / 1_000 - 600 }, "token_expired"],
  ])("%s is refused", async (_, claims, rule) => {
    expect(await verdict(await token(claims))).toMatchObject({ ok: false, rule });
  });

  it("that is too old is refused", async () => {
    const old = await token({}, RECEIVED_AT / 1_000 - 600);
    expect(await verdict(old)).toMatchObject({ ok: false });
    expect(await verdict(old, { maxAgeSeconds: 900 })).toMatchObject({ ok: true });
  });

  it("signed with the public key as a secret is refused", async () => {
    const forged = await new SignJWT({ iss: "https://sender.example", aud: "shop" })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuedAt(RECEIVED_AT / 1_000)
      .sign(new TextEncoder().encode(pemOfPair(RSA)));
    expect(await verdict(forged, { publicKey: pemOfPair(RSA) })).toMatchObject({ ok: false });
    expect(await verdict("a.b.c")).toMatchObject({ rule: "signature_malformed" });
  });
});

describe("a JSON Web Token of a sender that publishes its keys", () => {
  const URL_OF_KEYS = "https://sender.example/.well-known/jwks.json";
  const setting = { algorithm: "jwt", jwksUrl: URL_OF_KEYS };
  const keySet = async (kid: string) =>
    JSON.stringify({ keys: [{ ...(await exportJWK(P256.publicKey)), kid }] });
  const token = (kid: string) =>
    new SignJWT({ sub: "7" })
      .setProtectedHeader({ alg: "ES256", kid })
      .setIssuedAt(RECEIVED_AT / 1_000)
      .sign(P256.privateKey);
  const sent = async (kid: string) => ({
    headers: { authorization: `Bearer ${await token(kid)}` },
    body: BODY,
  });

  it("is verified with the key of its address", async () => {
    const asked: unknown[] = [];
    const verdict = await keyVerdictOf(setting, await sent("k1"), async (order) => {
      asked.push(order);
      return await keySet("k1");
    });
    expect(verdict).toMatchObject({ ok: true });
    expect(asked).toEqual([{ url: URL_OF_KEYS, isChosen: true }]);
  });

  it("is verified with a key newer than the cached ones", async () => {
    const fetchKey: SenderPort["fetchKey"] = async (_, isRenewed = false) =>
      await keySet(isRenewed ? "k2" : "k1");
    expect(await keyVerdictOf(setting, await sent("k2"), fetchKey)).toMatchObject({ ok: true });
    expect(await keyVerdictOf(setting, await sent("k3"), fetchKey)).toMatchObject({
      rule: "key_unknown",
    });
  });

  it("causes no fetch if it is missing", async () => {
    const fetchKey = () => {
      throw new Error("asked");
    };
    expect(await keyVerdictOf(setting, { body: BODY }, fetchKey)).toMatchObject({
      rule: "signature_missing",
    });
  });
});

it("a missing JSON Web Token of the body is reported with its field", async () => {
  const setting = { algorithm: "jwt", in: "body", header: "payload", publicKey: pemOfPair(P256) };
  const headers = { "content-type": "application/json" };
  expect(await keyVerdictOf(setting, { headers, body: "{}" })).toMatchObject({
    rule: "signature_missing",
    message: "The field payload is missing.",
  });
});

const byCertificates = { algorithm: "jwt", certificates: { leaf: "1.2.840.113635.100.6.11.1" } };
const jwksUrl = "https://sender.example/keys";

it.each<[setting: object, field: string]>([
  [{ preset: "discord" }, "publicKey"],
  [{ preset: "discord", publicKey: "no key" }, "publicKey"],
  [{ preset: "paypal" }, "audience"],
  [{ preset: "app-store" }, "audience"],
  [{ algorithm: "ed25519", publicKey: pemOfPair(RSA) }, "publicKey"],
  [{ algorithm: "rsa-sha256", publicKey: pemOfPair(RSA), template: "{url}" }, "template"],
  [{ algorithm: "jwt" }, "publicKey"],
  [{ algorithm: "jwt", publicKey: pemOfPair(RSA), jwksUrl }, "jwksUrl"],
  [{ algorithm: "jwt", jwksUrl: "https://10.0.0.1/keys" }, "jwksUrl"],
  [{ ...byCertificates, publicKey: pemOf(CHAIN.leaf) }, "publicKey"],
  [{ ...byCertificates, jwksUrl }, "jwksUrl"],
])("%j is refused when it is saved, for its %s", async (signature, field) => {
  const { auth } = createEndpointBody.parse({ name: "a", auth: { signature } });
  const faults = auth.signature ? await signatureFaults(auth.signature) : [];
  expect(faults.map(({ path }) => path)).toEqual([`auth.signature.${field}`]);
});
