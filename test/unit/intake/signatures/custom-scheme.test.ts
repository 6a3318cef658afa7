import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { customScheme } from "../../../../src/contract/webhooks/signature.ts";
import { customSchemeOf, schemeFault } from "../../../../src/intake/signatures/custom-scheme.ts";
import { verifySignature } from "../../../../src/intake/signatures/verify.ts";
import { inboundRequest, RECEIVED_AT } from "../../../support/signed-request.ts";

const custom = (body: object) => customSchemeOf(customScheme.parse(body));

it.each([
  [{ prefix: "sha256=" }, "sha256=", false],
  [{ prefix: "" }, "", false],
  [{ algorithm: "sha512" }, "sha512=", true],
  [{ form: "list" }, "v1,", false],
  [{ form: "pairs" }, "v1", false],
])("the scheme %j has the prefix %s, which may be missing: %s", (body, prefix, prefixOptional) => {
  expect(custom(body)).toMatchObject({ prefix, prefixOptional });
});

const timed = { template: "{timestamp}.{body}" };
const pairs = { form: "pairs" };
const listed = { template: "{headers}{body}" };
const listedInBody = {
  in: "body",
  template: "{headers}{body.a}",
  signedHeaders: { header: "X-L" },
};
const twice = { ...timed, ...pairs, timestampPair: "t", timestampHeader: "X-Time" };
const both = "{id}{timestamp}{body}";
const sameHeaders = { template: both, timestampHeader: "X-Time", idHeader: "x-time" };
const SAME = "must not name the same header as another part";

it.each([
  // The template.
  [{ template: "{nonce}{body}" }, "template", "template_part", "part {nonce}; use id, "],
  [{ template: "{}{body}" }, "template", "template_part", "has the unknown part {}"],
  [{ template: "{body.}" }, "template", "template_part", "has the unknown part {body.}"],
  [{ template: "{body}{body}" }, "template", "template_part", "must not repeat a part"],
  [{ template: "{url}" }, "template", "template_cover", "or the signature fits any body"],
  [{ template: "body" }, "template", "template_cover", "must contain {body}"],
  [{ template: "{sortedParams}" }, "template", "template_cover", "must contain {url} beside"],
  [{ in: "body" }, "template", "template_cover", "must name fields, since {body} has the"],
  // Where its values come from.
  [timed, "template", "template_source", "which needs timestampHeader or timestampPair"],
  [{ timestampHeader: "X-A" }, "template", "template_unused", "or the time is not signed"],
  [{ ...pairs, timestampPair: "t" }, "template", "template_unused", "must contain {timestamp}"],
  [{ template: "{id}{body}" }, "template", "template_source", "has {id}, which needs idHeader"],
  [{ idHeader: "X-A" }, "template", "template_unused", "or the value of idHeader is not signed"],
  [{ template: "{headers}{body}" }, "template", "template_source", "which needs signedHeaders"],
  [{ signedHeaders: { header: "X-A" } }, "template", "template_unused", "signedHeaders has no use"],
  // The list of signed headers.
  [{ ...listed, signedHeaders: {} }, "signedHeaders", "form", "must have either header or pair"],
  [
    { ...listed, signedHeaders: { pair: "h" } },
    "signedHeaders.pair",
    "form",
    "needs the form pairs",
  ],
  [listedInBody, "signedHeaders", "form", "must be left out with a signature in the body"],
  // The form.
  [{ form: "jwt", algorithm: "sha1" }, "algorithm", "form", "must be sha256, sha384 or sha512"],
  [{ ...timed, timestampPair: "t" }, "timestampPair", "form", "needs the form pairs"],
  [twice, "timestampPair", "form", "must not be set together with timestampHeader"],
  [
    { ...timed, ...pairs, timestampPair: "v1" },
    "timestampPair",
    "form",
    "must differ from the name",
  ],
  [{ ...pairs, prefix: "" }, "prefix", "form", "must name the pair of the signature, such as v1"],
  [{ ...pairs, prefix: "v1=" }, "prefix", "form", "must name the pair"],
  [{ ...pairs, prefix: ",v1" }, "prefix", "form", "must name the pair"],
  [{ form: "list", prefix: "v1 " }, "prefix", "form", "characters that the header cannot contain"],
  [{ prefix: "é" }, "prefix", "form", "characters that the header cannot contain"],
  // The headers.
  [{ ...timed, header: "X-Sig", timestampHeader: "x-sig" }, "timestampHeader", "header", SAME],
  [sameHeaders, "idHeader", "header", SAME],
])("the scheme %j is refused for its %s", (body, field, rule, message) => {
  expect(schemeFault(custom(body))).toEqual({
    path: `auth.hmac.${field}`,
    rule,
    message: expect.stringContaining(message),
  });
});

it.each([
  ...["Host", "Connection", "Content-Length", "Content-Type", "Content-Encoding"],
  ...["Transfer-Encoding", "CF-Ray", "X-Forwarded-For", "X-Real-IP"],
])("a scheme is refused for the header %s, which is set in transit", (header) => {
  expect(schemeFault(custom({ header }))).toEqual({
    path: "auth.hmac.header",
    rule: "header",
    message: `must be a header of the sender; ${header.toLowerCase()} is set in transit`,
  });
});

it.each([
  { header: "X-Host" },
  { header: "X-CF-Signature" },
  { template: "{url}{sortedParams}" },
  { ...timed, timestampHeader: "X-Time" },
  { ...timed, ...pairs, timestampPair: "t" },
  { template: "v0:{id}:{body}", idHeader: "X-Id" },
  { header: "Authorization", prefix: "HMAC " },
])("the scheme %j has no fault", (body) => {
  expect(schemeFault(custom(body))).toBeNull();
});

const SECRET = "a-secret-of-the-sender-4711";
const hmac = (text: string) => createHmac("sha256", SECRET).update(text).digest("hex");

/** Returns the verdict on a request under a custom scheme that can be saved. */
async function verdictOf(body: object, request: Parameters<typeof inboundRequest>[0]) {
  const scheme = custom(body);
  expect(schemeFault(scheme)).toBeNull();
  const secret = { current: SECRET, previous: null };
  return await verifySignature(scheme, secret, inboundRequest(request), RECEIVED_AT);
}

const form = { "content-type": "application/x-www-form-urlencoded" };

describe("a signature in a field of a form", () => {
  const scheme = {
    in: "body",
    header: "sig",
    template: "{body.data}:{timestamp}",
    timestampHeader: "at",
  };
  const second = String(RECEIVED_AT / 1_000);
  const fields = { data: "PHhtbD4=\n", at: second, sig: hmac(`PHhtbD4=\n:${second}`) };
  const sent = (changes: object, more = "") =>
    verdictOf(scheme, {
      headers: form,
      body: `${new URLSearchParams({ ...fields, ...changes })}${more}`,
    });

  it("is verified over the fields of the template", async () => {
    expect(await sent({})).toMatchObject({ ok: true, signedAt: RECEIVED_AT });
    expect(await sent({ data: "b" })).toMatchObject({ ok: false, rule: "signature_mismatch" });
    expect(await sent({ at: "1" })).toMatchObject({ ok: false });
  });

  it("is refused with an uncovered field", async () => {
    expect(await sent({ amount: "1" })).toMatchObject({
      rule: "body_unsigned",
      message: "The signature does not cover the field amount.",
    });
    expect(await sent({}, "&data=b")).toMatchObject({ ok: false });
  });

  it("covers the lone field payload as it was sent", async () => {
    const payload = '{"a": 1}';
    const headers = { ...form, "x-webhook-signature": hmac(payload) };
    const body = new URLSearchParams({ payload }).toString();
    expect(await verdictOf({ template: "{body.payload}" }, { headers, body })).toMatchObject({
      ok: true,
    });
  });
});

describe("a list of signed headers", () => {
  const scheme = {
    template: "{headers}\n{body}",
    timestampHeader: "X-Time",
    signedHeaders: { header: "X-Signed", item: "{name}={value}", separator: "&" },
  };
  const time = String(RECEIVED_AT);
  const sent = (headers: Record<string, string>) => verdictOf(scheme, { headers, body: "{}" });
  const text = `x-time=${time}&x-event=paid\n{}`;
  const headers = { "x-time": time, "x-event": "paid", "x-signed": "X-Time, X-Event" };

  it("is verified in its order", async () => {
    const signature = { "x-webhook-signature": hmac(text) };
    expect(await sent({ ...headers, ...signature })).toMatchObject({ ok: true });
    for (const change of [
      { "x-event": "free" },
      { "x-signed": "X-Event, X-Time" },
      { "x-time": "1" },
    ]) {
      expect(await sent({ ...headers, ...signature, ...change })).toMatchObject({ ok: false });
    }
  });

  it("must include the time of the scheme", async () => {
    const signature = { "x-webhook-signature": hmac("x-event=paid\n{}") };
    expect(await sent({ ...headers, ...signature, "x-signed": "x-event" })).toMatchObject({
      rule: "header_unsigned",
      message: "The signed headers do not include X-Time.",
    });
  });
});

it("the URL with sorted fields of query and form is verified", async () => {
  const scheme = { template: "{sortedUrl}" };
  const url = "https://hooks.example/hooks/a";
  const sent = (query: string, body: string, text: string) =>
    verdictOf(scheme, {
      url: `${url}${query}`,
      headers: { ...form, "x-webhook-signature": hmac(text) },
      body,
    });
  expect(await sent("?b=2&a=%26", "d=1&c=2&c=1", `${url}?a=&&b=2.c1c2d1`)).toMatchObject({
    ok: true,
  });
  expect(await sent("", "", url)).toMatchObject({ ok: true });
  expect(await sent("", "b=2", `${url}?b1`)).toMatchObject({ ok: false });
});
