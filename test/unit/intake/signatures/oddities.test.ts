import { createHash, createHmac, Hmac } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { customScheme, type SignatureScheme } from "../../../../src/contract/webhooks/signature.ts";
import { customSchemeOf } from "../../../../src/intake/signatures/custom-scheme.ts";
import { presetOf } from "../../../../src/intake/signatures/presets.ts";
import { MAX_SIGNATURES } from "../../../../src/intake/signatures/signature-headers.ts";
import { isForm } from "../../../../src/intake/signatures/signed-message.ts";
import {
  signedUrl,
  signHeaders,
  verifySignature,
} from "../../../../src/intake/signatures/verify.ts";
import { inboundRequest, RECEIVED_AT } from "../../../support/signed-request.ts";

const SECRET = "a secret of tests";
const BODY = '{"a":1}';
const SECOND = RECEIVED_AT / 1_000;

const github = presetOf("github").scheme;
const shopify = presetOf("shopify").scheme;
const stripe = presetOf("stripe").scheme;
const slack = presetOf("slack").scheme;
const standard = presetOf("standard-webhooks").scheme;
const twilio = presetOf("twilio").scheme;
const ownScheme = customSchemeOf(customScheme.parse({}));

const mac = (text: string | Uint8Array, key = SECRET) => createHmac("sha256", key).update(text);
const hex = mac(BODY).digest("hex");
const base64 = mac(BODY).digest("base64");
const timed = mac(`${SECOND}.${BODY}`).digest("hex");
const listed = mac(`m1.${SECOND}.${BODY}`).digest("base64");

/** The header of GitHub's signature. */
const byGithub = (text: string | Uint8Array, key?: string) => ({
  "x-hub-signature-256": `sha256=${mac(text, key).digest("hex")}`,
});
/** The headers of Twilio's signature, with the type of the body. */
const byTwilio = (text: string, contentType = "application/json", key = SECRET) => ({
  "x-twilio-signature": createHmac("sha1", key).update(text).digest("base64"),
  "content-type": contentType,
});

type Headers = Record<string, string>;
type More = Partial<Parameters<typeof inboundRequest>[0]>;

async function verdictOf(scheme: SignatureScheme, headers: Headers, more: More = {}) {
  const request = inboundRequest({ headers, body: BODY, ...more });
  return await verifySignature(scheme, { current: SECRET, previous: null }, request, RECEIVED_AT);
}

async function ruleOf(...args: Parameters<typeof verdictOf>): Promise<string> {
  const verdict = await verdictOf(...args);
  return verdict.ok ? "ok" : verdict.rule;
}

describe("a signature in hex", () => {
  it.each([
    ["as it should be", `sha256=${hex}`, "ok"],
    ["in upper case", `sha256=${hex.toUpperCase()}`, "ok"],
    ["between spaces", `  sha256=${hex} `, "ok"],
    ["without its prefix", hex, "signature_malformed"],
    ["under another prefix", `sha1=${hex}`, "signature_malformed"],
    ["of spaces", "   ", "signature_missing"],
    ["that is only its prefix", "sha256=", "signature_malformed"],
    ["that is cut off", `sha256=${hex.slice(0, -1)}`, "signature_malformed"],
    ["that is cut off by a byte", `sha256=${hex.slice(0, -2)}`, "signature_malformed"],
    ["with a letter that is no digit", `sha256=${hex.slice(0, -1)}g`, "signature_malformed"],
    ["that comes twice", `sha256=${hex}, sha256=${hex}`, "signature_malformed"],
    ["of another secret", `sha256=${mac(BODY, "other").digest("hex")}`, "signature_mismatch"],
  ])("%s: %s", async (_, value, rule) => {
    expect(await ruleOf(github, { "x-hub-signature-256": value })).toBe(rule);
  });

  it("of a custom scheme may lack its prefix, but not have another one", async () => {
    const rule = (value: string) => ruleOf(ownScheme, { "x-webhook-signature": value });
    expect(await rule(`sha256=${hex}`)).toBe("ok");
    expect(await rule(hex)).toBe("ok");
    expect(await rule(`md5=${hex}`)).toBe("signature_malformed");
  });
});

describe("a signature in base64", () => {
  const urlSafe = base64.replaceAll("+", "-").replaceAll("/", "_");
  // The last character before the padding of 32 bytes has two bits that mean nothing.
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const last = alphabet[alphabet.indexOf(base64.at(-2) ?? "") + 1];

  it.each([
    ["without padding", base64.replace("=", ""), "ok"],
    ["in the alphabet of addresses", urlSafe, "ok"],
    ["with other stray bits", `${base64.slice(0, -2)}${last}=`, "signature_malformed"],
    ["with too much padding", `${base64}==`, "signature_malformed"],
    ["in hex", hex, "signature_malformed"],
    ["with characters of no alphabet", `${base64.slice(0, -2)}!=`, "signature_malformed"],
  ])("%s: %s", async (_, value, rule) => {
    expect(await ruleOf(shopify, { "x-shopify-hmac-sha256": value })).toBe(rule);
  });
});

/** The headers of Standard Webhooks, or of Svix. */
const byStandard = (signature = `v1,${listed}`, prefix = "webhook"): Headers => ({
  [`${prefix}-id`]: "m1",
  [`${prefix}-timestamp`]: String(SECOND),
  [`${prefix}-signature`]: signature,
});

describe("a list of signatures", () => {
  const other = mac("other").digest("base64");
  const others = (count: number) => `v1,${other} `.repeat(count);

  it.each([
    ["the second of two", `v1,${other} v1,${listed}`, "ok"],
    ["one beside another version", `v1a,AAAA v1,${listed} v2,x`, "ok"],
    ["sent as two headers", `v1,${other}, v1,${listed}`, "ok"],
    ["only the version", "v1,", "signature_malformed"],
    ["no version", listed, "signature_malformed"],
    ["only another version", `v1a,${listed}`, "signature_malformed"],
    ["as many as are looked at", `${others(MAX_SIGNATURES - 1)}v1,${listed}`, "ok"],
    ["more than are looked at", `${others(MAX_SIGNATURES)}v1,${listed}`, "signature_mismatch"],
  ])("%s", async (_, value, rule) => {
    expect(await ruleOf(standard, byStandard(value))).toBe(rule);
  });

  it("is found under the names of Svix, even beside the standard ones", async () => {
    const svix = byStandard(undefined, "svix");
    expect(await ruleOf(standard, svix)).toBe("ok");
    expect(await ruleOf(standard, { ...svix, ...byStandard() })).toBe("ok");
  });
});

it.each([
  ["a time and a signature", `t=${SECOND},v1=${timed}`, "ok"],
  ["in the other order, with spaces", `v1=${timed}, t=${SECOND}`, "ok"],
  ["a part without a value beside them", `v1,t=${SECOND},v1=${timed}`, "ok"],
  ["two signatures", `t=${SECOND},v1=${hex},v1=${timed}`, "ok"],
  ["only of another version", `t=${SECOND},v0=${timed}`, "signature_malformed"],
  ["no time", `v1=${timed}`, "timestamp_missing"],
  ["no signature", `t=${SECOND}`, "signature_malformed"],
  ["an empty signature", `t=${SECOND},v1=`, "signature_malformed"],
  ["another time", `t=${SECOND + 1},v1=${timed}`, "signature_mismatch"],
  ["two times", `t=${SECOND + 1},t=${SECOND},v1=${timed}`, "signature_mismatch"],
  ["commas", ",,,", "signature_malformed"],
])("pairs %s", async (_, value, rule) => {
  expect(await ruleOf(stripe, { "stripe-signature": value })).toBe(rule);
});

describe("the signed time", () => {
  const verdictAt = (timestamp: string) =>
    verdictOf(slack, {
      "x-slack-signature": `v0=${mac(`v0:${timestamp}:${BODY}`).digest("hex")}`,
      "x-slack-request-timestamp": timestamp,
    });

  it.each([
    [String(SECOND), RECEIVED_AT],
    [String(RECEIVED_AT + 7), RECEIVED_AT + 7],
    ["2026-11-18T17:46:40Z", 1_795_024_000_000],
    ["2026-11-18T17:46:40.123456789Z", 1_795_024_000_123],
    ["2026-11-18T18:46:40+01:00", 1_795_024_000_000],
    ["Wed, 18 Nov 2026 17:46:40 GMT", 1_795_024_000_000],
  ])("%s is read", async (text, signedAt) => {
    expect(await verdictAt(text)).toMatchObject({ ok: true, signedAt });
  });

  it.each(["1", "-1795000000", "1795000000.5", "0x6afd2b40", "1e9", "2026", "2026-11-18", "now"])(
    "%s is not",
    async (text) => {
      expect(await verdictAt(text)).toMatchObject({ ok: false, rule: "timestamp_unreadable" });
    },
  );
});

describe("a refusal has the reason", () => {
  const GITHUB = "The header X-Hub-Signature-256";
  const github256 = (value: string) => ({ "x-hub-signature-256": value });
  const standardWith = (changes: Headers) => ({ ...byStandard(), ...changes });
  const svixWith = (more: Headers) => ({ ...byStandard(undefined, "svix"), ...more });
  const long = "a".repeat(5_000);
  const AT = "webhook-timestamp";
  const pairs = customSchemeOf(customScheme.parse({ form: "pairs" }));

  it.each<[rule: string, message: string, SignatureScheme, Headers]>([
    ["signature_missing", `${GITHUB} is missing.`, github, {}],
    ["signature_oversized", `${GITHUB} is too long.`, github, github256(long)],
    ["signature_malformed", "of the form sha256=<64 hex digits>.", github, github256("x")],
    ["signature_malformed", "v1=<64 hex digits>.", pairs, { "x-webhook-signature": "x" }],
    ["headers_conflict", "webhook-id contradicts svix", standard, svixWith({ "webhook-id": "2" })],
    ["headers_conflict", "webhook-timestamp contradicts", standard, svixWith({ [AT]: "1" })],
    ["headers_conflict", "svix-sig", standard, svixWith({ "webhook-signature": "v1,x" })],
    ["id_missing", "webhook-id is missing.", standard, standardWith({ "webhook-id": "" })],
    ["id_oversized", "webhook-id is too long.", standard, standardWith({ "webhook-id": long })],
    ["timestamp_missing", `in ${AT} is missing.`, standard, standardWith({ [AT]: "" })],
    ["timestamp_unreadable", `${AT} is not a timestamp.`, standard, standardWith({ [AT]: "soon" })],
    ["signature_mismatch", "not match.", standard, standardWith({ "webhook-id": "2" })],
  ])("%s: %s", async (rule, message, scheme, headers) => {
    const said = expect.stringContaining(message);
    expect(await verdictOf(scheme, headers)).toMatchObject({ ok: false, rule, message: said });
  });

  it.each([
    ["whsec", "whsec_%%%"],
    ["base64", "a!b"],
    ["hex", "0g"],
    ["hex", "0ab"],
  ] as const)("of a secret that is not %s (%s), without showing it", async (encoding, current) => {
    const scheme = { ...github, secretEncoding: encoding };
    const request = inboundRequest({ headers: byGithub(BODY) });
    const secret = { current, previous: null };
    const verdict = await verifySignature(scheme, secret, request, RECEIVED_AT);
    expect(verdict).toMatchObject({
      rule: "secret_unreadable",
      message: `The secret is not valid ${encoding}.`,
    });
    expect(JSON.stringify(verdict)).not.toContain(current);
  });
});

it("reads headers of up to 4,096 characters", async () => {
  const padded = (length: number) => ({ "x-hub-signature-256": "x".repeat(length) });
  expect(await ruleOf(github, padded(4_096))).toBe("signature_malformed");
  expect(await ruleOf(github, padded(4_097))).toBe("signature_oversized");
});

it.each([
  [" Application/X-WWW-Form-URLencoded ; charset=utf-8", true],
  ["application/x-www-form-urlencoded2", false],
  ["text/application/x-www-form-urlencoded", false],
  [null, false],
])("a body of the type %s is signed by its fields: %s", (type, expected) => {
  expect(isForm(type)).toBe(expected);
});

describe("the content of a signature", () => {
  const zipped = gzipSync(BODY);
  const other = { wire: gzipSync(`${BODY} `), body: `${BODY} ` };

  it.each([
    ["the bytes on the wire", zipped],
    ["the body before it was compressed", BODY],
  ])("may be %s", async (_, over) => {
    expect(await ruleOf(github, byGithub(over), { wire: zipped })).toBe("ok");
    expect(await ruleOf(github, byGithub(over), other)).toBe("signature_mismatch");
  });

  it.each([
    ["once with a body that is not compressed", {}, [BODY.length]],
    ["with the wire and the content of another one", other, [other.wire.length, BODY.length + 1]],
  ])("is compared %s", async (_, more, expected) => {
    const sign = vi.spyOn(Hmac.prototype, "update");
    const headers = { "x-hub-signature-256": `sha256=${"0".repeat(64)}` };
    expect(await ruleOf(github, headers, more)).toBe("signature_mismatch");
    const lengths = sign.mock.calls.map(([message]) => Buffer.from(message).length);
    sign.mockRestore();
    expect(lengths).toEqual(expected);
  });

  it("is, for Twilio, a compressed body by the hash of its content or its wire bytes", async () => {
    const rule = (hashed: Uint8Array | string, key = SECRET) => {
      const hash = createHash("sha256").update(hashed).digest("hex");
      const url = `https://hooks.example/hooks/a?bodySHA256=${hash}`;
      return ruleOf(twilio, byTwilio(url, "application/json", key), { url, wire: zipped });
    };
    expect(await rule(BODY)).toBe("ok");
    expect(await rule(zipped)).toBe("ok");
    expect(await rule(zipped, "other")).toBe("signature_mismatch");
    expect(await rule("another body")).toBe("body_unsigned");
  });

  it("is, for Twilio, the URL of an empty body, and of no other without its hash", async () => {
    const url = "https://hooks.example/hooks/a";
    expect(await ruleOf(twilio, byTwilio(url), { url, body: "" })).toBe("ok");
    expect(await ruleOf(twilio, byTwilio(url), { url, body: BODY })).toBe("body_unsigned");
  });

  it.each([
    ["https://hooks.example/hooks/a", "https://hooks.example:443/hooks/a"],
    ["https://hooks.example:8443/hooks/a", "https://hooks.example/hooks/a"],
    ["http://localhost/hooks/a", "http://localhost:80/hooks/a"],
  ])("is %s also where %s was signed", async (url, over) => {
    expect(await ruleOf(twilio, byTwilio(over), { url, body: "" })).toBe("ok");
  });

  it("is the query of a GET alone, whatever its body, and the empty body without a query", async () => {
    const url = "https://hooks.example/hooks/a?order=7&b=%20";
    const get = { method: "GET", url, body: BODY };
    expect(await ruleOf(github, byGithub("order=7&b=%20"), get)).toBe("ok");
    expect(await ruleOf(github, byGithub(BODY), get)).toBe("signature_mismatch");
    expect(await ruleOf(github, byGithub(""), { ...get, body: "" })).toBe("signature_mismatch");
    const bare = { ...get, url: "https://hooks.example/hooks/a", body: "" };
    expect(await ruleOf(github, byGithub(""), bare)).toBe("ok");
    const both = { ...github, template: "{url}{body}" };
    const json = { "content-type": "application/json" };
    expect(await ruleOf(both, { ...json, ...byGithub(`${url}${BODY}`) }, get)).toBe("ok");
    expect(await ruleOf(both, { ...json, ...byGithub(url) }, get)).toBe("signature_mismatch");
  });

  it("never includes a body that was not read completely", async () => {
    const request = inboundRequest({ headers: byGithub(BODY) });
    const body = { kind: "too_large", limit: 1, beginning: new Uint8Array() } as const;
    const secret = { current: SECRET, previous: null };
    const verdict = await verifySignature(github, secret, { ...request, body }, RECEIVED_AT);
    const message = "The body is incomplete.";
    expect(verdict).toMatchObject({ ok: false, rule: "body_incomplete", message });
  });
});

describe("a message signed by the service", () => {
  const message = {
    url: new URL("https://hooks.example/hooks/a?x=1"),
    body: new TextEncoder().encode(BODY),
    contentType: "application/json",
    now: RECEIVED_AT,
    id: "m1",
  };

  it("is sent to a URL with the hash of a body that Twilio does not sign by its fields", async () => {
    const hash = createHash("sha256").update(BODY).digest("hex");
    const { href } = await signedUrl(twilio, message);
    expect(href).toBe(`${message.url.href}&bodySHA256=${hash}`);
  });

  it.each([
    ["a form", twilio, { contentType: "application/x-www-form-urlencoded" }],
    ["an empty body", twilio, { body: new Uint8Array() }],
    ["the body itself", github, {}],
  ])("is sent to the unchanged URL if the signature covers %s", async (_, scheme, changes) => {
    expect((await signedUrl(scheme, { ...message, ...changes })).href).toBe(message.url.href);
  });

  it("has only the signature if a scheme of pairs signs no time", async () => {
    const scheme = customSchemeOf(customScheme.parse({ form: "pairs" }));
    const headers = { "x-webhook-signature": `v1=${hex}` };
    expect(await signHeaders(scheme, SECRET, message)).toEqual(headers);
  });

  it("cannot be made with a secret of another encoding", async () => {
    const scheme = { ...github, secretEncoding: "base64" as const };
    const signing = signHeaders(scheme, "a!b", message);
    await expect(signing).rejects.toThrow("The secret is not valid base64.");
  });

  it("has no headers if the sender does not sign its body", async () => {
    expect(await signHeaders(twilio, SECRET, message)).toEqual({});
    expect(await signHeaders(presetOf("plivo").scheme, SECRET, message)).toEqual({});
  });
});
