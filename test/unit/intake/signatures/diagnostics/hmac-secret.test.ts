import { createHmac, Hmac } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import type { Cause } from "../../../../../src/contract/webhooks/advice.ts";
import type {
  PresetName,
  SignatureScheme,
} from "../../../../../src/contract/webhooks/signature.ts";
import { diagnose } from "../../../../../src/intake/signatures/diagnostics/hmac.ts";
import { presetOf } from "../../../../../src/intake/signatures/presets.ts";
import { verifySignature } from "../../../../../src/intake/signatures/verify.ts";
import {
  BODY,
  base64,
  custom,
  diagnosed,
  expectCause,
  hex,
  SECOND,
  SECRET,
  URL_OF_ENDPOINT,
} from "../../../../support/diagnosis.ts";
import { inboundRequest, RECEIVED_AT } from "../../../../support/signed-request.ts";
import { PUBLISHED } from "../presets/published.ts";

const KEY = Buffer.from("thirty-two bytes of a secret ...");
const IN_HEX = KEY.toString("hex");
const BARE = KEY.toString("base64");
const WHSEC = `whsec_${BARE}`;
const github = presetOf("github").scheme;
const signedBy = (key: string | Buffer) => ({ "x-hub-signature-256": `sha256=${hex(BODY, key)}` });

it.each<[encoding: string, stored: string, key: string | Buffer, says: string]>([
  ["utf8", WHSEC, KEY, "the part after whsec_ from base64"],
  ["utf8", BARE, KEY, "decodes the secret from base64"],
  ["utf8", IN_HEX, KEY, "decodes the secret from hex"],
  ["utf8", `0x${IN_HEX}`, KEY, "without the 0x, the quotes or the separators"],
  ["utf8", IN_HEX.replace(/..(?=.)/g, "$&:"), KEY, "Save the digits alone"],
  ["utf8", `"${IN_HEX}"`, KEY, "Save the digits alone"],
  ["utf8", WHSEC, BARE, "without its whsec_ as plain text"],
  ["whsec", WHSEC, WHSEC, "uses the text of the secret without decoding it"],
  ["whsec", btoa("sixteen bytes .."), Buffer.from("sixteen bytes .."), "the prefix whsec_"],
  ["base64", BARE, BARE, 'Set secretEncoding to "utf8"'],
  ["hex", IN_HEX, IN_HEX, 'Set secretEncoding to "utf8"'],
  ["base64", "not of base64!", "not of base64!", 'Set secretEncoding to "utf8"'],
])(
  "the diagnosis names the setting under which the stored secret is the sender's key: %s, %j",
  async (secretEncoding, current, key, says) => {
    const scheme = custom({ secretEncoding });
    const headers = { "x-webhook-signature": hex(BODY, key) };
    const expected = { cause: "secret_encoding", says, isFixable: true } as const;
    await expectCause({ scheme, headers, secret: { current } }, expected);
  },
);

it.each<[stored: string, Cause, says: string]>([
  [` ${SECRET}`, "secret_whitespace", "has no white space around it"],
  [`${SECRET}\r\n`, "secret_whitespace", "has no white space around it"],
  [`"${SECRET}"`, "secret_quotes", "has no quotes around it"],
  [`'${SECRET}'`, "secret_quotes", "has no quotes around it"],
  [`WEBHOOK_SECRET=${SECRET}`, "secret_variable", "begins with the name of a variable"],
  [`export API_KEY="${SECRET}"`, "secret_variable", "begins with the name of a variable"],
])(
  "the diagnosis names extra characters stored with the secret: %j",
  async (current, cause, says) => {
    const setup = { scheme: github, headers: signedBy(SECRET), secret: { current } };
    await expectCause(setup, { cause, says, isFixable: true });
  },
);

describe("the diagnosis names the sender's use of the secret:", () => {
  it.each<[stored: string, key: string, Cause, says: string]>([
    [SECRET, `${SECRET}\n`, "secret_whitespace", "has a line break or a space around it"],
    [SECRET, `\n${SECRET}`, "secret_whitespace", "has a line break or a space around it"],
    [SECRET, `${SECRET}\r\n`, "secret_whitespace", "has a line break or a space around it"],
    [SECRET, `${SECRET} `, "secret_whitespace", "has a line break or a space around it"],
    [SECRET, `"${SECRET}"`, "secret_quotes", "has quotes around it"],
    [SECRET, `GITHUB_WEBHOOK_SECRET=${SECRET}`, "secret_variable", "with the name of a variable"],
    [SECRET, `\${WEBHOOK_SECRET}`, "secret_variable", "Give it the value alone"],
    [SECRET, "{{ SIGNING_SECRET }}", "secret_variable", "Give it the value alone"],
    [SECRET, btoa(SECRET), "secret_encoding", "is the base64 of this one"],
    [SECRET, btoa(`${SECRET}\n`), "secret_encoding", "is the base64 of this one"],
    ["a-secret$with-!", "a-secret-!", "secret_cut", "what a shell or a file of variables takes"],
    ["a-secret#with-more", "a-secret", "secret_cut", "in single quotes"],
    ["two words", "two", "secret_cut", "in single quotes"],
    ["a-secret%with-more", "a-secret", "secret_cut", "in single quotes"],
    ["a\\b", "ab", "secret_cut", "in single quotes"],
    [SECRET, "", "secret_empty", "signs with an empty secret"],
    [SECRET, "undefined", "secret_empty", "signs with an empty secret"],
    ["sk_live_0123456789abcdef", "other", "secret_of_api", "is an API key"],
    ["$WEBHOOK_SECRET", "other", "secret_variable", "is the name of a variable"],
  ])("%j, %j", async (current, key, cause, says) => {
    const setup = { scheme: github, headers: signedBy(key), secret: { current } };
    await expectCause(setup, { cause, says, isFixable: false });
  });

  it("it swapped key and text", async () => {
    const headers = { "x-hub-signature-256": `sha256=${hex(SECRET, BODY)}` };
    const expected = { cause: "swapped", says: "Swap them", isFixable: false } as const;
    await expectCause({ scheme: github, headers }, expected);
  });

  it("it uses the previous one, which is no longer valid", async () => {
    const secret = { previous: { value: "the old one", validUntil: RECEIVED_AT } };
    const says = "The sender uses the previous secret, which is no longer valid";
    const expected = { cause: "secret_previous", says, isFixable: false } as const;
    await expectCause({ scheme: github, headers: signedBy("the old one"), secret }, expected);
  });
});

it("the diagnosis names a wrong secret together with a wrong template", async () => {
  const headers = { "x-webhook-signature": hex(`${SECOND}.${BODY}`, KEY), "x-timestamp": SECOND };
  const { said } = await diagnosed({ scheme: custom(), headers, secret: { current: WHSEC } });
  expect(said).toContain("from base64");
  expect(said).toContain('Set template to "{timestamp}.{body}"');
});

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

const slack = presetOf("slack").scheme;
const stripe = presetOf("stripe").scheme;
const twilio = presetOf("twilio").scheme;

describe("without a match, the diagnosis describes a wrong format of the signature:", () => {
  const zeros = (digits: number) => "0".repeat(digits);
  const inBase64 = Buffer.alloc(32).toString("base64");

  it.each([
    ["", github, `sha256=${zeros(64)}`],
    ["", stripe, `t=${SECOND},v0=${zeros(40)},v1=${zeros(64)}`],
    ["The sender uses sha1, but sha256 is configured.", github, `sha256=${zeros(40)}`],
    ["The signature is base64, but hex is configured.", github, `sha256=${inBase64}`],
  ])("%j", async (text, scheme, value) => {
    const { said } = await diagnosed({ scheme, headers: { [scheme.header]: value } });
    const advice = / Set \w+ to "\w+"\.\n/;
    expect(said.replace(advice, "")).toBe(
      `${text}No known variant matches: the sender uses another secret, or the body was changed in transit.`,
    );
  });

  it("the body of Twilio has another hash than its URL", async () => {
    const url = `${URL_OF_ENDPOINT}?bodySHA256=${"0".repeat(64)}`;
    const headers = { [twilio.header]: base64(url, SECRET, "sha1") };
    const says = "bodySHA256 in the URL is not its hash";
    const expected = { cause: "body_unsigned", says, isFixable: false } as const;
    await expectCause({ scheme: twilio, headers, url }, expected);
  });
});

describe("work for strangers is limited:", () => {
  it("the diagnoses of one secret in a short time", async () => {
    const secret = { current: SECRET, previous: null };
    const request = inboundRequest({ headers: { "x-hub-signature-256": "sha256=0" } });
    const verdict = await verifySignature(github, secret, request, RECEIVED_AT);
    if (verdict.ok) throw new Error("the request is verified");
    const others = async () => [];
    const wrong = { scheme: github, preset: null, secret, request, verdict, others };
    const saidAt = async (now: number) => (await diagnose({ ...wrong, now })).sentences.join();
    for (let at = 0; at < 30; at += 1) expect(await saidAt(at)).toContain("must look like");
    expect(await saidAt(30)).toContain("was not examined");
    expect(await saidAt(10_000)).toContain("must look like");
  });

  it.each([
    ["small", `{"a": ["ü/<"]}`, 502],
    ["large", JSON.stringify({ text: "x".repeat(250_000) }, null, 2), 40],
    ["too deep to be read", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, 50],
  ])("the tries for a body that is %s", async (_, body, most) => {
    const headers: Record<string, string> = {};
    // A message is signed once for each length of the signatures.
    const digests = [40, 64, 96, 128].map((digits) => `v1=${"0".repeat(digits)}`);
    for (let at = 0; at < 30; at += 1) {
      const signatures = [...digests, ...Array(80).fill(digests[0])];
      headers[`x-${at}-signature`] = signatures.join(",").slice(0, 4_000);
      headers[`x-${at}-timestamp`] = String(Number(SECOND) + at);
      headers[`x-${at}-message-id`] = `message ${at}`;
    }
    const sign = vi.spyOn(Hmac.prototype, "update");
    const { said } = await diagnosed({ scheme: slack, headers, body });
    expect(said).toContain("No known variant matches");
    expect(sign.mock.calls.length).toBeLessThanOrEqual(most);
    sign.mockRestore();
  });
});
