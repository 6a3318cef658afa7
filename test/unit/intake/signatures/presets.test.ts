import { describe, expect, it } from "vitest";
import {
  customScheme,
  PRESETS,
  type SignatureScheme,
  signatureScheme,
} from "../../../../src/contract/webhooks/signature.ts";
import { parseSettings } from "../../../../src/env.ts";
import { openEndpoint, secretContext } from "../../../../src/intake/secrets.ts";
import { customSchemeOf, schemeFault } from "../../../../src/intake/signatures/custom-scheme.ts";
import { presetOf } from "../../../../src/intake/signatures/presets.ts";
import { seal } from "../../../../src/lib/secrets.ts";
import { configWith } from "../../../support/endpoint.ts";
import { authWith } from "../../../support/hook-request.ts";

const custom = (body: object): SignatureScheme => customSchemeOf(customScheme.parse(body));

it.each(PRESETS)("the preset %s can be stored and has no fault", (name) => {
  const { scheme } = presetOf(name);
  expect(signatureScheme.parse(scheme)).toEqual(scheme);
  // A signature in the body, or in a token, has no template of its own.
  const isText = scheme.in !== "body" && scheme.form !== "jwt";
  if (isText) expect(schemeFault(scheme)).toBeNull();
});

it("an endpoint of a preset has its current scheme, whatever was stored with it", async () => {
  const key = btoa("k".repeat(32));
  const { endpointId } = configWith();
  const sealed = await seal("the secret", [key], secretContext(endpointId, "hmac"));
  const secret = { sealed, last4: "", previous: null };
  const stored = { ...presetOf("box").scheme, furtherHeaders: undefined, template: "{body}" };
  const discord = { ...presetOf("discord").scheme, template: "{body}" };
  const auth = authWith({
    hmac: { preset: "box", scheme: stored, secret },
    signature: { preset: "discord", scheme: discord, publicKey: "", audience: null, secret: null },
  });
  const settings = parseSettings({ ENCRYPTION_KEY: key });
  const { config } = await openEndpoint(configWith({ endpointId, auth }), settings);
  expect(config.auth.hmac?.scheme).toEqual(presetOf("box").scheme);
  expect(config.auth.signature?.scheme).toEqual(presetOf("discord").scheme);
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
    [
      "its template has a part that is none",
      { template: "{nonce}{body}" },
      "template template_part",
      "has the unknown part {nonce}; use id, timestamp, body, url, path, method, sortedParams, sortedUrl",
    ],
    [
      "its template has an empty part",
      { template: "{}{body}" },
      "template template_part",
      "has the unknown part {}",
    ],
    [
      "its template leaves the body out",
      { template: "{url}" },
      "template template_cover",
      "must contain {body}, or the signature fits any body",
    ],
    [
      "its template is plain text",
      { template: "body" },
      "template template_cover",
      "must contain {body}",
    ],
    [
      "its template has the body twice",
      { template: "{body}{body}" },
      "template template_part",
      "must not repeat a part",
    ],
    [
      "its fields are signed without the address",
      { template: "{sortedParams}" },
      "template template_cover",
      "must contain {url} beside {sortedParams}",
    ],
    [
      "its timestamp comes from nowhere",
      timed,
      "template template_source",
      "has {timestamp}, which needs timestampHeader or timestampPair",
    ],
    [
      "its timestamp is not signed",
      { timestampHeader: "X-Time" },
      "template template_unused",
      "must contain {timestamp}, or the time is not signed",
    ],
    [
      "its pair's timestamp is not signed",
      { form: "pairs", timestampPair: "t" },
      "template template_unused",
      "must contain {timestamp}",
    ],
    [
      "its id comes from nowhere",
      { template: "{id}{body}" },
      "template template_source",
      "has {id}, which needs idHeader",
    ],
    [
      "its id is not signed",
      { idHeader: "X-Id" },
      "template template_unused",
      "must contain {id}, or the value of idHeader is not signed",
    ],
    [
      "its timestamp's pair is in no pairs",
      { ...timed, timestampPair: "t" },
      "timestampPair form",
      "needs the form pairs",
    ],
    [
      "its timestamp comes from two places",
      { ...timed, form: "pairs", timestampPair: "t", timestampHeader: "X-Time" },
      "timestampPair form",
      "must not be set together with timestampHeader",
    ],
    [
      "its timestamp's pair is the signature's",
      { ...timed, form: "pairs", timestampPair: "v1" },
      "timestampPair form",
      "must differ from the name of the signature's pair",
    ],
    [
      "its pair has no name",
      { form: "pairs", prefix: "" },
      "prefix form",
      "must name the pair of the signature, such as v1",
    ],
    [
      "its pair's name has a sign of its own",
      { form: "pairs", prefix: "v1=" },
      "prefix form",
      "must name the pair",
    ],
    [
      "its pair's name begins with a sign of its own",
      { form: "pairs", prefix: ",v1" },
      "prefix form",
      "must name the pair",
    ],
    [
      "its list's prefix has a space",
      { form: "list", prefix: "v1 " },
      "prefix form",
      "has characters that the header cannot contain there",
    ],
    [
      "its prefix cannot be in a header",
      { prefix: "é" },
      "prefix form",
      "has characters that the header cannot contain there",
    ],
    [
      "one header is two things",
      { ...timed, header: "X-Sig", timestampHeader: "x-sig" },
      "timestampHeader header",
      "must not name the same header as another part",
    ],
    [
      "its id is in the header of its timestamp",
      {
        template: "{id}{timestamp}{body}",
        timestampHeader: "X-Time",
        idHeader: "x-time",
      },
      "idHeader header",
      "must not name the same header as another part",
    ],
  ])("%s", (_, body, place, message) => {
    const [field, rule] = place.split(" ");
    expect(schemeFault(custom(body))).toEqual({
      path: `auth.hmac.${field}`,
      rule,
      message: expect.stringContaining(message),
    });
  });

  it.each([
    "Host",
    "Connection",
    "Content-Length",
    "Content-Type",
    "Content-Encoding",
    "Transfer-Encoding",
    "CF-Ray",
    "X-Forwarded-For",
    "X-Real-IP",
  ])("its header is %s, which is set in transit", (header) => {
    expect(schemeFault(custom({ header }))).toEqual({
      path: "auth.hmac.header",
      rule: "header",
      message: `must be a header of the sender; ${header.toLowerCase()} is set in transit`,
    });
  });
});

it.each(["X-Host", "Host-Signature", "X-CF-Signature", "Forwarded-Signature"])(
  "%s is a header that a sender may use",
  (header) => {
    expect(schemeFault(custom({ header }))).toBeNull();
  },
);

it.each([
  { template: "{url}{sortedParams}" },
  { template: "{timestamp}.{body}", timestampHeader: "X-Time" },
  { template: "{timestamp}.{body}", timestampPair: "t", form: "pairs" },
  { template: "v0:{id}:{body}", idHeader: "X-Id" },
  { header: "Authorization", prefix: "HMAC " },
])("%j has no fault", (body) => {
  expect(schemeFault(custom(body))).toBeNull();
});
