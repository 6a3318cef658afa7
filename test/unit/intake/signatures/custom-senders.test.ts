import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { customScheme } from "../../../../src/contract/webhooks/signature.ts";
import { customSchemeOf, schemeFault } from "../../../../src/intake/signatures/custom-scheme.ts";
import { verifySignature } from "../../../../src/intake/signatures/verify.ts";
import { inboundRequest, RECEIVED_AT } from "../../../support/signed-request.ts";

const SECRET = "a-secret-of-the-sender-4711";
const hmac = (text: string, key: string | Buffer = SECRET, hash = "sha256") =>
  createHmac(hash, key).update(text).digest("hex");

/** Returns the verdict on a request under a custom scheme that can be saved. */
async function verdictOf(custom: object, request: Parameters<typeof inboundRequest>[0]) {
  const scheme = customSchemeOf(customScheme.parse(custom));
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
