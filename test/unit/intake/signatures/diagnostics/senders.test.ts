import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { customScheme, type PresetName } from "../../../../../src/contract/webhooks/signature.ts";
import { customSchemeOf } from "../../../../../src/intake/signatures/custom-scheme.ts";
import { diagnose } from "../../../../../src/intake/signatures/diagnostics/hmac.ts";
import { presetOf } from "../../../../../src/intake/signatures/presets.ts";
import { verifySignature } from "../../../../../src/intake/signatures/verify.ts";
import { inboundRequest, RECEIVED_AT } from "../../../../support/signed-request.ts";
import { PUBLISHED } from "../presets/published.ts";

/** Returns the diagnosis of a sender's own request under other settings. */
async function diagnosed(
  name: PresetName,
  { custom, secret }: { custom?: object; secret?: (right: string) => string } = {},
) {
  const sent = PUBLISHED.find(({ preset }) => preset === name);
  if (sent === undefined) throw new Error(`no request of ${name} is known`);
  const scheme = custom ? customSchemeOf(customScheme.parse(custom)) : presetOf(name).scheme;
  const current = secret?.(sent.secret ?? "") ?? sent.secret ?? "";
  const opened = { current, previous: null };
  const request = inboundRequest(sent);
  const verdict = await verifySignature(scheme, opened, request, RECEIVED_AT);
  if (verdict.ok) throw new Error("the request is verified");
  const preset = custom === undefined ? name : null;
  const others = async () => [];
  return await diagnose({
    scheme,
    preset,
    secret: opened,
    request,
    now: RECEIVED_AT,
    verdict,
    others,
  });
}

describe("the diagnosis of a request that is not verified", () => {
  it.each(["contentful", "razorpay"] as const)(
    "names the preset of %s where none is set",
    async (name) => {
      const { sentences, advice } = await diagnosed(name, { custom: {} });
      expect(sentences.join(" ")).toContain(`The request is signed as ${name} signs.`);
      expect(advice?.change).toEqual({ hmac: { preset: name }, secret: null });
    },
  );

  it.each(["braintree", "contentful", "plivo"] as const)(
    "of %s finds white space in the stored secret",
    async (name) => {
      const { advice } = await diagnosed(name, { secret: (right) => `${right} ` });
      expect(advice).toEqual({
        causes: ["secret_whitespace"],
        change: { hmac: { preset: name }, secret: "trim" },
      });
    },
  );

  it("names the key that is the SHA-1 of the secret", async () => {
    const custom = { in: "body", header: "bt_signature", form: "items", algorithm: "sha1" };
    const { advice } = await diagnosed("braintree", {
      custom: { ...custom, template: "{body.bt_payload}" },
    });
    expect(advice?.change).toMatchObject({
      hmac: { ...custom, secretEncoding: "sha1" },
      secret: null,
    });
  });

  it("keeps the time that a list of headers signs", async () => {
    const custom = {
      algorithm: "sha512",
      template: "{headers}{body}",
      timestampHeader: "X-Time",
      signedHeaders: { header: "X-Signed" },
    };
    const text = `x-time:${RECEIVED_AT}{}`;
    const signature = createHmac("sha256", "right").update(text).digest("hex");
    const headers = { "x-time": String(RECEIVED_AT), "x-signed": "x-time" };
    const request = inboundRequest({
      headers: { ...headers, "x-webhook-signature": `sha256=${signature}` },
      body: "{}",
    });
    const scheme = customSchemeOf(customScheme.parse(custom));
    const secret = { current: "right", previous: null };
    const verdict = await verifySignature(scheme, secret, request, RECEIVED_AT);
    if (verdict.ok) throw new Error("the request is verified");
    const others = async () => [];
    const asked = { scheme, preset: null, secret, request, now: RECEIVED_AT, verdict, others };
    const { advice } = await diagnose(asked);
    expect(advice?.change?.hmac).toMatchObject({
      algorithm: "sha256",
      timestampHeader: "X-Time",
      signedHeaders: { header: "X-Signed" },
    });
  });
});
