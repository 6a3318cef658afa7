import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import type { Cause } from "../../../../../src/contract/webhooks/advice.ts";
import type {
  PresetName,
  SignatureScheme,
} from "../../../../../src/contract/webhooks/signature.ts";
import { presetOf } from "../../../../../src/intake/signatures/presets.ts";
import { custom, diagnosed, expectCause, hex, SECRET } from "../../../../support/diagnosis.ts";
import { RECEIVED_AT } from "../../../../support/signed-request.ts";
import { PUBLISHED } from "../presets/published.ts";

function publishedBy(name: PresetName) {
  const sent = PUBLISHED.find(({ preset }) => preset === name);
  if (sent?.secret === undefined) throw new Error(`no request of ${name} is known`);
  return { url: "https://hooks.example/hooks/ep_1", ...sent, secret: sent.secret };
}

it.each(["braintree", "contentful", "plivo"] as const)(
  "the diagnosis of a request of %s finds white space in the stored secret, and keeps the preset",
  async (name) => {
    const { secret, ...sent } = publishedBy(name);
    const { scheme } = presetOf(name);
    const found = await diagnosed({ ...sent, scheme, secret: { current: `${secret} ` } });
    expect(found.causes).toEqual(["secret_whitespace"]);
    expect(found.change).toEqual({ hmac: { preset: name }, secret: "trim" });
  },
);

it("the diagnosis names the key that is the SHA-1 of the secret", async () => {
  const { secret, ...sent } = publishedBy("braintree");
  const setting = { in: "body", header: "bt_signature", form: "items", algorithm: "sha1" };
  const scheme = custom({ ...setting, template: "{body.bt_payload}" });
  const { change } = await diagnosed({ ...sent, scheme, secret: { current: secret } });
  expect(change).toMatchObject({ hmac: { ...setting, secretEncoding: "sha1" }, secret: null });
});

it("the diagnosis keeps the time that a list of headers signs", async () => {
  const signed = { timestampHeader: "X-Time", signedHeaders: { header: "X-Signed" } };
  const scheme = custom({ ...signed, algorithm: "sha512", template: "{headers}{body}" });
  const headers = {
    "x-time": String(RECEIVED_AT),
    "x-signed": "x-time",
    "x-webhook-signature": `sha256=${hex(`x-time:${RECEIVED_AT}{}`, SECRET)}`,
  };
  const { change } = await diagnosed({ scheme, headers, body: "{}" });
  expect(change?.hmac).toMatchObject({ ...signed, algorithm: "sha256" });
});

/** A JSON Web Token, as Node's own HMAC signs it. */
function jwt(alg: string, { key = SECRET, algorithm = "sha256", claims = {} } = {}): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg })}.${part({ iat: RECEIVED_AT / 1_000, ...claims })}`;
  return `${text}.${createHmac(algorithm, key).update(text).digest("base64url")}`;
}

const monday = presetOf("monday").scheme;
const inHeader = custom({ header: "Authorization", form: "jwt", bodyClaim: "hash" });
const ended = { exp: RECEIVED_AT / 1_000 - 3_600 };

it.each<[string, SignatureScheme, authorization: string | null, Cause]>([
  ["of another hash", inHeader, jwt("HS512", { algorithm: "sha512" }), "algorithm"],
  ["of a private key", monday, jwt("RS256"), "algorithm"],
  ["without a signature", monday, jwt("none"), "algorithm"],
  ["that has expired", monday, jwt("HS256", { claims: ended }), "signed_values"],
  ["of another secret", monday, jwt("HS256", { key: "x" }), "unknown"],
  ["that is an API key", monday, "abc", "not_a_signature"],
  ["that is missing", monday, null, "header_missing"],
])("the diagnosis of a JSON Web Token names the cause: one %s", async (_, scheme, sent, cause) => {
  const headers = sent === null ? {} : { authorization: sent };
  await expectCause({ scheme, headers }, { cause, says: "", isFixable: false });
});

it("the diagnosis of a signature in the body names the secret, or its absence", async () => {
  const { scheme } = presetOf("mailgun");
  const second = String(RECEIVED_AT / 1_000);
  const signature = { timestamp: second, token: "t0ken", signature: hex(`${second}t0ken`) };
  const body = JSON.stringify({ signature, "event-data": { id: "e" } });
  const causesOf = async (current: string, sent = body) =>
    await diagnosed({ scheme, body: sent, secret: { current } });
  const spaced = await causesOf(`${SECRET}\n`);
  expect(spaced).toMatchObject({ causes: ["secret_whitespace"], isFixable: true });
  expect((await causesOf("another")).causes).toEqual(["unknown"]);
  expect((await causesOf(SECRET, "{}")).causes).toEqual(["header_missing"]);
});
