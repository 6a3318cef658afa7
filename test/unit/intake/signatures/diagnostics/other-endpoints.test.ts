import { generateKeyPairSync, sign } from "node:crypto";
import { expect, it } from "vitest";
import type { StoredAuth } from "../../../../../src/contract/webhooks/endpoint.ts";
import { diagnose } from "../../../../../src/intake/signatures/diagnostics/hmac.ts";
import { diagnoseKey } from "../../../../../src/intake/signatures/diagnostics/key-signature.ts";
import { diagnoseToken } from "../../../../../src/intake/signatures/diagnostics/token.ts";
import { verifyKeySignature } from "../../../../../src/intake/signatures/key-signature.ts";
import { presetOf } from "../../../../../src/intake/signatures/presets.ts";
import { verifySignature } from "../../../../../src/intake/signatures/verify.ts";
import type { Endpoint } from "../../../../../src/intake/types.ts";
import { BODY, custom, hex, SECOND } from "../../../../support/diagnosis.ts";
import { authWith, endpointWith, KEPT } from "../../../../support/hook-request.ts";
import { ED25519, pemOfPair } from "../../../../support/key-pairs.ts";
import { inboundRequest, RECEIVED_AT } from "../../../../support/signed-request.ts";

const open = (current: string) => ({ current, previous: null });
const NAMED = /^The sender uses the secret or key of your endpoint "shop orders" \(ep_[0-9a-z_]+\)/;

/** Another endpoint of the account, after one that has nothing to do with the request. */
const others =
  (auth: Partial<StoredAuth>, opened: Partial<Endpoint> = {}) =>
  async () => [endpointWith({ name: "unrelated" }), endpointWith({ auth: authWith(auth) }, opened)];

it.each([
  ["its scheme", custom({}), { "x-webhook-signature": hex(BODY, "the other secret") }],
  [
    "the other endpoint's scheme",
    custom({}),
    { "x-hub-signature-256": `sha256=${hex(BODY, "the other secret")}` },
  ],
  ["a JSON Web Token", { ...custom({}), form: "jwt" as const }, {}],
])("names the endpoint whose secret signed a request by %s", async (_, scheme, headers) => {
  const secret = open("a secret of the tests");
  const { scheme: github } = presetOf("github");
  const { SignJWT } = await import("jose");
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: "HS256" })
    .sign(new TextEncoder().encode("the other secret"));
  const sent = scheme.form === "jwt" ? { "x-webhook-signature": token } : headers;
  const request = inboundRequest({ headers: sent, body: BODY });
  const verdict = await verifySignature(scheme, secret, request, RECEIVED_AT);
  if (verdict.ok) throw new Error("the signature is right");
  const wrong = { scheme, preset: null, secret, request, now: RECEIVED_AT, verdict };
  const said = async (other: string) => {
    const hmac = { preset: "github" as const, scheme: github, secret: KEPT };
    return await diagnose({ ...wrong, others: others({ hmac }, { hmac: open(other) }) });
  };
  const { sentences, advice } = await said("the other secret");
  expect(sentences.at(-1)).toMatch(NAMED);
  expect(sentences.join()).not.toContain("the other secret");
  expect(advice).toMatchObject({ change: null });
  expect(advice?.causes).toContain("secret_of_endpoint");
  expect((await said("a third secret")).advice?.causes).not.toContain("secret_of_endpoint");
});

it("names the endpoint whose token or signing secret is sent as the token", async () => {
  const stored = { header: null, secret: KEPT };
  const request = inboundRequest({ headers: { "x-webhook-token": "the other secret" } });
  const wrong = { stored, secret: open("a token"), request, now: RECEIVED_AT };
  for (const opened of [{ token: open("the other secret") }, { hmac: open("the other secret") }]) {
    const { sentences } = await diagnoseToken({ ...wrong, others: others({}, opened) });
    expect(sentences).toEqual([expect.stringMatching(NAMED)]);
  }
});

it("names the endpoint whose public key verifies a request", async () => {
  const other = generateKeyPairSync("ed25519");
  const { scheme } = presetOf("discord");
  const setting = { preset: "discord" as const, scheme, audience: null, secret: null };
  const stored = { ...setting, publicKey: pemOfPair(ED25519) };
  const headers = {
    "x-signature-ed25519": sign(null, Buffer.from(SECOND + BODY), other.privateKey).toString("hex"),
    "x-signature-timestamp": SECOND,
  };
  const request = inboundRequest({ headers, body: BODY });
  const context = { secret: null, fetchKey: async () => null, now: RECEIVED_AT };
  const verdict = await verifyKeySignature(stored, request, context);
  if (verdict.ok) throw new Error("the signature is right");
  const signature = { ...setting, publicKey: pemOfPair(other) };
  const { sentences } = await diagnoseKey({
    stored,
    request,
    context,
    verdict,
    others: others({ signature }),
  });
  expect(sentences).toEqual([expect.stringMatching(NAMED)]);
});
