import { describe, expect, it } from "vitest";
import { CHAIN, pemOf, signedByChain } from "../../../support/certificates.ts";
import { APPLE } from "./apple-certificates.ts";
import { keyVerdictOf } from "./key-verdict.ts";

const CLAIMS = { notificationUUID: "n1", data: { bundleId: "com.example.app" } };
const preset = { preset: "app-store", audience: "com.example.app" };
const ofTests = { ...preset, publicKey: pemOf(CHAIN.root) };
const custom = {
  algorithm: "jwt",
  in: "body",
  header: "signedPayload",
  certificates: { leaf: "1.2.840.113635.100.6.11.1" },
  maxAgeSeconds: null,
  publicKey: pemOf(CHAIN.root),
};

const verdictOn = (setting: object, signedPayload: string) =>
  keyVerdictOf(setting, {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ signedPayload }),
  });

describe("a notification of the App Store", () => {
  it.each([
    ["by the preset", ofTests],
    ["by a custom scheme", custom],
  ])("is verified %s, and its claims are the payload", async (_, setting) => {
    const verdict = await verdictOn(setting, await signedByChain(CLAIMS));
    expect(verdict).toMatchObject({ ok: true, payload: CLAIMS });
  });

  it("is for one app, wherever the notification names it", async () => {
    const other = await signedByChain({ ...CLAIMS, data: { bundleId: "com.example.other" } });
    expect(await verdictOn(ofTests, other)).toMatchObject({ ok: false, rule: "audience" });
    expect(await verdictOn(ofTests, await signedByChain({}))).toMatchObject({ rule: "audience" });
    const summary = await signedByChain({ summary: { bundleId: "com.example.app" } });
    expect(await verdictOn(ofTests, summary)).toMatchObject({ ok: true });
  });

  it("is refused unless its certificates lead to Apple's root", async () => {
    const forged = await verdictOn(preset, await signedByChain(CLAIMS));
    expect(forged).toMatchObject({ ok: false, rule: "certificate" });
    // Apple's own certificates do not help without Apple's key.
    const { leaf, intermediate, root } = APPLE;
    const borrowed = await signedByChain(CLAIMS, [leaf, intermediate, root]);
    expect(await verdictOn(preset, borrowed)).toMatchObject({ rule: "signature_mismatch" });
  });

  it("is refused with other claims than the signed ones", async () => {
    const [head, , signature] = (await signedByChain(CLAIMS)).split(".");
    const claims = Buffer.from(JSON.stringify({ ...CLAIMS, more: 1 })).toString("base64url");
    const changed = [head, claims, signature].join(".");
    expect(await verdictOn(ofTests, changed)).toMatchObject({ rule: "signature_mismatch" });
  });
});
