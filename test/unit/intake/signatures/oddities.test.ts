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

/** The same headers under the names of Svix. */
const svixOf = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace("webhook-", "svix-"), value]),
  );

async function ruleOf(
  scheme: SignatureScheme,
  headers: Record<string, string>,
  more: Partial<Parameters<typeof inboundRequest>[0]> = {},
): Promise<string> {
  const request = inboundRequest({ headers, body: BODY, ...more });
  const secret = { current: SECRET, previous: null };
  const verdict = await verifySignature(scheme, secret, request, RECEIVED_AT);
  return verdict.ok ? "ok" : verdict.rule;
}

describe("a signature in hex", () => {
  it.each([
    ["as it should be", `sha256=${hex}`, "ok"],
    ["in upper case", `sha256=${hex.toUpperCase()}`, "ok"],
    ["between spaces", `  sha256=${hex} `, "ok"],
    ["without its prefix", hex, "signature_malformed"],
    ["under another prefix", `sha1=${hex}`, "signature_malformed"],
    ["that is empty", "", "signature_missing"],
    ["of spaces", "   ", "signature_missing"],
    ["that is only its prefix", "sha256=", "signature_malformed"],
    ["that is cut off", `sha256=${hex.slice(0, -1)}`, "signature_malformed"],
    ["that is cut off by a byte", `sha256=${hex.slice(0, -2)}`, "signature_malformed"],
    ["that goes on", `sha256=${hex}00`, "signature_malformed"],
    ["with a space inside", `sha256=${hex.slice(0, 9)} ${hex.slice(9)}`, "signature_malformed"],
    ["with a letter that is no digit", `sha256=${hex.slice(0, -1)}g`, "signature_malformed"],
    ["that comes twice", `sha256=${hex}, sha256=${hex}`, "signature_malformed"],
    ["that is too long", `sha256=${hex.repeat(100)}`, "signature_oversized"],
    ["of another secret", `sha256=${mac(BODY, "other").digest("hex")}`, "signature_mismatch"],
    ["of zeros", `sha256=${"0".repeat(64)}`, "signature_mismatch"],
  ])("%s: %s", async (_, value, rule) => {
    expect(await ruleOf(github, { "x-hub-signature-256": value })).toBe(rule);
  });

  it.each(["X-HUB-SIGNATURE-256", "x-hub-signature-256", "X-Hub-Signature-256"])(
    "is found under %s",
    async (name) => {
      expect(await ruleOf(github, { [name]: `sha256=${hex}` })).toBe("ok");
    },
  );

  it.each([
    ["with the prefix", `sha256=${hex}`, "ok"],
    ["without it", hex, "ok"],
    ["with another", `md5=${hex}`, "signature_malformed"],
  ])("of a scheme of the caller's own, %s", async (_, value, rule) => {
    expect(await ruleOf(ownScheme, { "x-webhook-signature": value })).toBe(rule);
  });
});

describe("a signature in base64", () => {
  const urlSafe = base64.replaceAll("+", "-").replaceAll("/", "_");
  // The last character before the padding of 32 bytes has two bits that mean nothing.
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const last = alphabet[alphabet.indexOf(base64.at(-2) ?? "") + 1];

  it.each([
    ["as it should be", base64, "ok"],
    ["without padding", base64.replace("=", ""), "ok"],
    ["in the alphabet of addresses", urlSafe, "ok"],
    ["with other stray bits", `${base64.slice(0, -2)}${last}=`, "signature_malformed"],
    ["with too much padding", `${base64}==`, "signature_malformed"],
    ["in hex", hex, "signature_malformed"],
    ["with characters of no alphabet", `${base64.slice(0, -2)}!=`, "signature_malformed"],
    ["that is cut off", base64.slice(0, 20), "signature_malformed"],
  ])("%s: %s", async (_, value, rule) => {
    expect(await ruleOf(shopify, { "x-shopify-hmac-sha256": value })).toBe(rule);
  });
});

describe("a list of signatures", () => {
  const headers = (signature: string, more = {}) => ({
    "webhook-id": "m1",
    "webhook-timestamp": String(SECOND),
    "webhook-signature": signature,
    ...more,
  });
  const other = mac("other").digest("base64");

  it.each([
    ["one", `v1,${listed}`, "ok"],
    ["the second of two", `v1,${other} v1,${listed}`, "ok"],
    ["one beside another version", `v1a,AAAA v1,${listed} v2,x`, "ok"],
    ["sent as two headers", `v1,${other}, v1,${listed}`, "ok"],
    ["only the version", "v1,", "signature_malformed"],
    ["no version", listed, "signature_malformed"],
    ["only another version", `v1a,${listed}`, "signature_malformed"],
    ["empty items", "v1, v1, ,", "signature_malformed"],
    ["as many as are looked at", `${`v1,${other} `.repeat(MAX_SIGNATURES - 1)}v1,${listed}`, "ok"],
    [
      "more than are looked at",
      `${`v1,${other} `.repeat(MAX_SIGNATURES)}v1,${listed}`,
      "signature_mismatch",
    ],
  ])("%s", async (_, value, rule) => {
    expect(await ruleOf(standard, headers(value))).toBe(rule);
  });

  it.each([
    ["no id", { "webhook-id": "" }, "id_missing"],
    ["no timestamp", { "webhook-timestamp": "" }, "timestamp_missing"],
    ["another id", { "webhook-id": "m2" }, "signature_mismatch"],
    ["an id that is too long", { "webhook-id": "m".repeat(5_000) }, "id_oversized"],
    ["a timestamp that is none", { "webhook-timestamp": "soon" }, "timestamp_unreadable"],
  ])("with %s", async (_, changes, rule) => {
    expect(await ruleOf(standard, headers(`v1,${listed}`, changes))).toBe(rule);
  });

  const svix = {
    "svix-id": "m1",
    "svix-timestamp": String(SECOND),
    "svix-signature": `v1,${listed}`,
  };

  it("is found under the names of Svix, also beside the same ones of the standard", async () => {
    expect(await ruleOf(standard, svix)).toBe("ok");
    expect(await ruleOf(standard, { ...svix, ...headers(`v1,${listed}`) })).toBe("ok");
  });

  it.each([
    ["id", { "webhook-id": "m2" }],
    ["timestamp", { "webhook-timestamp": String(SECOND + 1) }],
    ["signature", { "webhook-signature": "v1,x", "webhook-id": "m1" }],
  ])("is refused with another %s beside it that is not the signed one", async (_, more) => {
    expect(await ruleOf(standard, { ...svix, ...more })).toBe("headers_conflict");
  });
});

describe("pairs", () => {
  it.each([
    ["a time and a signature", `t=${SECOND},v1=${timed}`, "ok"],
    ["in the other order, with spaces", `v1=${timed}, t=${SECOND}`, "ok"],
    ["spaces around each part", `t = ${SECOND} , v1 = ${timed}`, "ok"],
    ["a part without a value beside them", `v1,t=${SECOND},v1=${timed}`, "ok"],
    ["two signatures", `t=${SECOND},v1=${hex},v1=${timed}`, "ok"],
    ["only of another version", `t=${SECOND},v0=${timed}`, "signature_malformed"],
    ["no time", `v1=${timed}`, "timestamp_missing"],
    ["an empty time", `t=,v1=${timed}`, "timestamp_missing"],
    ["no signature", `t=${SECOND}`, "signature_malformed"],
    ["an empty signature", `t=${SECOND},v1=`, "signature_malformed"],
    ["another time", `t=${SECOND + 1},v1=${timed}`, "signature_mismatch"],
    [
      "another time before the signed one",
      `t=${SECOND + 1},t=${SECOND},v1=${timed}`,
      "signature_mismatch",
    ],
    ["commas", ",,,", "signature_malformed"],
  ])("%s", async (_, value, rule) => {
    expect(await ruleOf(stripe, { "stripe-signature": value })).toBe(rule);
  });
});

describe("the signed time", () => {
  const verdictAt = async (timestamp: string) => {
    const signature = `v0=${mac(`v0:${timestamp}:${BODY}`).digest("hex")}`;
    const headers = {
      "x-slack-signature": signature,
      "x-slack-request-timestamp": timestamp,
    };
    const request = inboundRequest({ headers, body: BODY });
    return verifySignature(slack, { current: SECRET, previous: null }, request, RECEIVED_AT);
  };

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

describe("a refusal says what is wrong", () => {
  const signature = { "x-hub-signature-256": `sha256=${hex}` };
  const ids = { "webhook-id": "m1", "webhook-timestamp": String(SECOND) };
  const list = { ...ids, "webhook-signature": `v1,${listed}` };
  const long = "a".repeat(5_000);
  const pairs = customSchemeOf(customScheme.parse({ form: "pairs" }));

  it.each([
    ["The header X-Hub-Signature-256 is missing.", github, {}],
    ["The header X-Hub-Signature-256 is too long.", github, { "x-hub-signature-256": long }],
    [
      "The header X-Hub-Signature-256 has no signature of the form sha256=<64 hex digits>.",
      github,
      { "x-hub-signature-256": "x" },
    ],
    [
      "The header X-Webhook-Signature has no signature of the form v1=<64 hex digits>.",
      pairs,
      { "x-webhook-signature": "x" },
    ],
    [
      "The header webhook-id contradicts svix-signature.",
      standard,
      { ...svixOf(list), "webhook-id": "2" },
    ],
    ["The header webhook-id is missing.", standard, { ...list, "webhook-id": "" }],
    ["The header webhook-id is too long.", standard, { ...list, "webhook-id": long }],
    [
      "The timestamp in webhook-timestamp is missing.",
      standard,
      { ...list, "webhook-timestamp": "" },
    ],
    ["webhook-timestamp is not a timestamp.", standard, { ...list, "webhook-timestamp": "soon" }],
    ["The signature does not match.", github, { "x-hub-signature-256": `sha256=${timed}` }],
    [
      "The secret is not valid base64.",
      { ...github, secretEncoding: "base64" as const },
      signature,
    ],
  ])("%s", async (message, scheme, headers) => {
    const request = inboundRequest({ headers, body: BODY });
    const verdict = await verifySignature(
      scheme,
      { current: "a secret!", previous: null },
      request,
      RECEIVED_AT,
    );
    expect(verdict).toMatchObject({ ok: false, message });
  });

  it("names as contradictory the header that is not the signed one", async () => {
    const verdict = await verifySignature(
      standard,
      { current: SECRET, previous: null },
      inboundRequest({ headers: { ...svixOf(list), "webhook-timestamp": "1" }, body: BODY }),
      RECEIVED_AT,
    );
    expect(verdict).toMatchObject({
      rule: "headers_conflict",
      message: "The header webhook-timestamp contradicts svix-signature.",
    });
  });
});

it("reads headers of up to 4,096 characters", async () => {
  const padded = (length: number) => ({ "x-hub-signature-256": "x".repeat(length) });
  expect(await ruleOf(github, padded(4_096))).toBe("signature_malformed");
  expect(await ruleOf(github, padded(4_097))).toBe("signature_oversized");
  const headers = (length: number) => ({
    "webhook-id": "m".repeat(length),
    "webhook-timestamp": String(SECOND),
    "webhook-signature": `v1,${listed}`,
  });
  expect(await ruleOf(standard, headers(4_096))).toBe("signature_mismatch");
  expect(await ruleOf(standard, headers(4_097))).toBe("id_oversized");
});

it.each([
  ["application/x-www-form-urlencoded", true],
  [" Application/X-WWW-Form-URLencoded ; charset=utf-8", true],
  ["application/x-www-form-urlencoded2", false],
  ["text/application/x-www-form-urlencoded", false],
  ["multipart/form-data", false],
  [null, false],
])("a body of the type %s is signed by its fields: %s", (type, expected) => {
  expect(isForm(type)).toBe(expected);
});

describe("what a signature covers", () => {
  const zipped = gzipSync(BODY);

  it.each([
    ["the bytes on the wire", zipped],
    ["the body before it was compressed", BODY],
  ])("may be %s", async (_, over) => {
    const headers = {
      "x-hub-signature-256": `sha256=${mac(over).digest("hex")}`,
      "content-encoding": "gzip",
    };
    expect(await ruleOf(github, headers, { wire: zipped })).toBe("ok");
    expect(await ruleOf(github, headers, { wire: gzipSync(`${BODY} `), body: `${BODY} ` })).toBe(
      "signature_mismatch",
    );
  });

  it("is compared once with the wire and once with the content of a compressed body", async () => {
    const headers = { "x-hub-signature-256": `sha256=${hex}`, "content-encoding": "gzip" };
    const sign = vi.spyOn(Hmac.prototype, "update");
    const wire = gzipSync(`${BODY} `);
    expect(await ruleOf(github, headers, { wire, body: `${BODY} ` })).toBe("signature_mismatch");
    const lengths = sign.mock.calls.map(([message]) => Buffer.from(message).length);
    sign.mockRestore();
    expect(lengths).toEqual([wire.length, BODY.length + 1]);
  });

  it("is compared once with a body that is not compressed", async () => {
    const sign = vi.spyOn(Hmac.prototype, "update");
    const other = { "x-hub-signature-256": `sha256=${timed}` };
    expect(await ruleOf(github, other)).toBe("signature_mismatch");
    const tries = sign.mock.calls.length;
    sign.mockRestore();
    expect(tries).toBe(1);
  });

  it("is found again when the body is decoded already", async () => {
    const headers = { "x-hub-signature-256": `sha256=${hex}`, "content-encoding": "gzip" };
    const request = inboundRequest({ headers, wire: zipped });
    if (request.body.kind === "whole") request.body.content();
    const secret = { current: SECRET, previous: null };
    expect(await verifySignature(github, secret, request, RECEIVED_AT)).toMatchObject({ ok: true });
  });

  it("is not found in a compressed body that is broken", async () => {
    const headers = { "x-hub-signature-256": `sha256=${hex}`, "content-encoding": "gzip" };
    const wire = zipped.subarray(0, -1);
    expect(await ruleOf(github, headers, { wire })).toBe("signature_mismatch");
  });

  it("is, for Twilio, a compressed body by the hash of its content or of its wire", async () => {
    const verdictOf = async (hashed: Uint8Array | string, key: string) => {
      const hash = createHash("sha256").update(hashed).digest("hex");
      const url = `https://hooks.example/hooks/a?bodySHA256=${hash}`;
      const signature = createHmac("sha1", key).update(url).digest("base64");
      const headers = { "x-twilio-signature": signature, "content-type": "application/json" };
      return await ruleOf(twilio, headers, { url, wire: zipped });
    };
    expect(await verdictOf(BODY, SECRET)).toBe("ok");
    expect(await verdictOf(zipped, SECRET)).toBe("ok");
    expect(await verdictOf(BODY, "other")).toBe("signature_mismatch");
    expect(await verdictOf(zipped, "other")).toBe("signature_mismatch");
    expect(await verdictOf("another body", SECRET)).toBe("body_unsigned");
  });

  it("is the query of a GET, and never an empty body beside one", async () => {
    const url = "https://hooks.example/hooks/a?order=7&b=%20";
    const of = (text: string) => ({ "x-hub-signature-256": `sha256=${mac(text).digest("hex")}` });
    const get = { method: "GET", body: "", url };
    expect(await ruleOf(github, of("order=7&b=%20"), get)).toBe("ok");
    expect(await ruleOf(github, of(""), get)).toBe("signature_mismatch");
    expect(await ruleOf(github, of(""), { ...get, url: "https://hooks.example/hooks/a" })).toBe(
      "ok",
    );
  });

  it("is the query of a GET alone, whatever its body", async () => {
    const url = "https://hooks.example/hooks/a?order=7";
    const get = { method: "GET", url, body: BODY };
    const of = (text: string) => ({
      "x-hub-signature-256": `sha256=${mac(text).digest("hex")}`,
      "content-type": "application/json",
    });
    expect(await ruleOf(github, of("order=7"), get)).toBe("ok");
    expect(await ruleOf(github, of(BODY), get)).toBe("signature_mismatch");
    const both = { ...github, template: "{url}{body}" };
    expect(await ruleOf(both, of(`${url}${BODY}`), get)).toBe("ok");
    expect(await ruleOf(both, of(url), get)).toBe("signature_mismatch");
  });

  it.each([
    ["no form and no hash", "application/json", BODY, "body_unsigned"],
    ["no body at all", "application/json", "", "ok"],
  ])("is, for Twilio, %s", async (_, contentType, body, rule) => {
    const url = "https://hooks.example/hooks/a";
    const signature = createHmac("sha1", SECRET).update(url).digest("base64");
    const headers = { "x-twilio-signature": signature, "content-type": contentType };
    expect(await ruleOf(twilio, headers, { url, body })).toBe(rule);
  });

  it.each([
    ["https://hooks.example/hooks/a", "https://hooks.example:443/hooks/a"],
    ["https://hooks.example:8443/hooks/a", "https://hooks.example/hooks/a"],
    ["http://localhost/hooks/a", "http://localhost:80/hooks/a"],
  ])("is %s also where %s was signed", async (url, over) => {
    const signature = createHmac("sha1", SECRET).update(over).digest("base64");
    expect(await ruleOf(twilio, { "x-twilio-signature": signature }, { url, body: "" })).toBe("ok");
  });

  it("is nothing of a body that was not read whole", async () => {
    const request = inboundRequest({ headers: { "x-hub-signature-256": `sha256=${hex}` } });
    const body = { kind: "too_large", limit: 1, beginning: new Uint8Array() } as const;
    const secret = { current: SECRET, previous: null };
    const verdict = await verifySignature(github, secret, { ...request, body }, RECEIVED_AT);
    expect(verdict).toMatchObject({
      ok: false,
      rule: "body_incomplete",
      message: "The body is incomplete.",
    });
  });
});

describe("the secret before the current one", () => {
  const secret = {
    current: "the new secret",
    previous: { value: SECRET, validUntil: RECEIVED_AT + 1_000 },
  };
  const verdictAt = (now: number, signature: string) => {
    const headers = { "x-hub-signature-256": `sha256=${signature}` };
    return verifySignature(github, secret, inboundRequest({ headers, body: BODY }), now);
  };

  it("counts until its time is over", async () => {
    expect(await verdictAt(RECEIVED_AT + 999, hex)).toMatchObject({ ok: true, usedPrevious: true });
    expect(await verdictAt(RECEIVED_AT + 1_000, hex)).toMatchObject({ ok: false });
    const current = mac(BODY, "the new secret").digest("hex");
    expect(await verdictAt(RECEIVED_AT, current)).toMatchObject({ ok: true, usedPrevious: false });
  });
});

it.each([
  ["whsec", "whsec_%%%"],
  ["whsec", "whsec_"],
  ["base64", "a!b"],
  ["hex", "0g"],
  ["hex", "0ab"],
] as const)("a secret that is not %s (%s) verifies nothing", async (secretEncoding, current) => {
  const scheme = { ...github, secretEncoding };
  const request = inboundRequest({ headers: { "x-hub-signature-256": `sha256=${hex}` } });
  const verdict = await verifySignature(scheme, { current, previous: null }, request, RECEIVED_AT);
  expect(verdict).toMatchObject({ ok: false, rule: "secret_unreadable" });
  expect(JSON.stringify(verdict)).not.toContain(current);
});

describe("the URL that a sender signs", () => {
  const url = new URL("https://hooks.example/hooks/a?x=1");
  const form = "application/x-www-form-urlencoded";
  const signed = async (scheme: SignatureScheme, contentType: string, text: string) => {
    const body = new TextEncoder().encode(text);
    return (await signedUrl(scheme, { url, body, contentType })).href;
  };

  it("names the hash of a body that Twilio does not sign by its fields", async () => {
    const hash = createHash("sha256").update(BODY).digest("hex");
    expect(await signed(twilio, "application/json", BODY)).toBe(`${url.href}&bodySHA256=${hash}`);
  });

  it.each([
    ["a form", twilio, form, "a=b"],
    ["an empty body", twilio, "application/json", ""],
    ["the body itself", github, "application/json", BODY],
  ])("is the called one where the signature covers %s", async (_, scheme, type, text) => {
    expect(await signed(scheme, type, text)).toBe(url.href);
  });
});

describe("the headers of a signed message", () => {
  const message = {
    url: new URL("https://hooks.example/hooks/a"),
    body: new TextEncoder().encode(BODY),
    contentType: "application/json",
    now: RECEIVED_AT,
    id: "m1",
  };

  it("are the signature alone where a scheme of pairs signs no time", async () => {
    const scheme = customSchemeOf(customScheme.parse({ form: "pairs" }));
    expect(await signHeaders(scheme, SECRET, message)).toEqual({
      "x-webhook-signature": `v1=${hex}`,
    });
  });

  it("cannot be made with a secret of another encoding", async () => {
    const scheme = { ...github, secretEncoding: "base64" as const };
    await expect(signHeaders(scheme, "a!b", message)).rejects.toThrow(
      "The secret is not valid base64.",
    );
  });

  it("are none for a body that the sender does not sign", async () => {
    expect(await signHeaders(twilio, SECRET, message)).toEqual({});
    expect(await signHeaders(presetOf("plivo").scheme, SECRET, message)).toEqual({});
  });
});
