import { describe, expect, it } from "vitest";
import {
  customScheme,
  PRESETS,
  type SignatureScheme,
  signatureScheme,
} from "../../../../src/contract/inbound/signature.ts";
import { customSchemeOf, schemeFault } from "../../../../src/inbound/signatures/custom-scheme.ts";
import { presetOf } from "../../../../src/inbound/signatures/presets.ts";

const custom = (body: object): SignatureScheme => customSchemeOf(customScheme.parse(body));

it.each(PRESETS)("the preset %s can be stored and has no fault", (name) => {
  const { scheme } = presetOf(name);
  expect(signatureScheme.parse(scheme)).toEqual(scheme);
  expect(schemeFault(scheme)).toBeNull();
});

describe("a scheme of the caller's own", () => {
  it("is hex of SHA-256 over the body, under X-Webhook-Signature, when nothing is said", () => {
    expect(custom({})).toEqual({
      header: "X-Webhook-Signature",
      form: "plain",
      prefix: "sha256=",
      prefixOptional: true,
      encoding: "hex",
      algorithm: "sha256",
      template: "{body}",
      timestampHeader: null,
      timestampPair: null,
      idHeader: null,
      aliases: [],
      secretEncoding: "utf8",
    });
  });

  it.each([
    [{ prefix: "sha256=" }, "sha256=", false],
    [{ prefix: "" }, "", false],
    [{ algorithm: "sha512" }, "sha512=", true],
    [{ form: "list" }, "v1,", false],
    [{ form: "pairs" }, "v1", false],
  ])("%j has the prefix %s, which may be missing: %s", (body, prefix, prefixOptional) => {
    expect(custom(body)).toMatchObject({ prefix, prefixOptional });
  });
});

describe("a scheme is refused when", () => {
  const timed = { template: "{timestamp}.{body}" };

  it.each([
    ["its template has a part that is none", { template: "{nonce}{body}" }, "template"],
    ["its template has an empty part", { template: "{}{body}" }, "template"],
    ["its template leaves the body out", { template: "{url}" }, "template"],
    ["its template is plain text", { template: "body" }, "template"],
    ["its template has the body twice", { template: "{body}{body}" }, "template"],
    ["its fields are signed without the address", { template: "{sortedParams}" }, "template"],
    ["its timestamp comes from nowhere", timed, "template"],
    ["its timestamp is not signed", { timestampHeader: "X-Time" }, "template"],
    ["its id comes from nowhere", { template: "{id}{body}" }, "template"],
    ["its id is not signed", { idHeader: "X-Id" }, "template"],
    ["its timestamp's pair is in no pairs", { ...timed, timestampPair: "t" }, "timestampPair"],
    [
      "its timestamp comes from two places",
      { ...timed, form: "pairs", timestampPair: "t", timestampHeader: "X-Time" },
      "timestampPair",
    ],
    [
      "its timestamp's pair is the signature's",
      { ...timed, form: "pairs", timestampPair: "v1" },
      "timestampPair",
    ],
    ["its pair has no name", { form: "pairs", prefix: "" }, "prefix"],
    ["its pair's name has a sign of its own", { form: "pairs", prefix: "v1=" }, "prefix"],
    ["its list's prefix has a space", { form: "list", prefix: "v1 " }, "prefix"],
    ["its prefix cannot be in a header", { prefix: "é" }, "prefix"],
    ["the transport sets its header", { header: "Content-Length" }, "header"],
    ["Cloudflare sets its header", { header: "CF-Ray" }, "header"],
    [
      "one header is two things",
      { ...timed, header: "X-Sig", timestampHeader: "x-sig" },
      "timestampHeader",
    ],
  ])("%s", (_, body, field) => {
    expect(schemeFault(custom(body))).toMatchObject({ path: `auth.hmac.${field}` });
  });
});

it.each([
  { template: "{url}{sortedParams}" },
  { template: "{timestamp}.{body}", timestampHeader: "X-Time" },
  { template: "{timestamp}.{body}", timestampPair: "t", form: "pairs" },
  { template: "v0:{id}:{body}", idHeader: "X-Id" },
  { header: "Authorization", prefix: "HMAC " },
])("%j has no fault", (body) => {
  expect(schemeFault(custom(body))).toBeNull();
});
