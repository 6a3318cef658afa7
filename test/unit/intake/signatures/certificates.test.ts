import { describe, expect, it } from "vitest";
import { appStore } from "../../../../src/intake/signatures/presets/app-store.ts";
import { keyOfChain } from "../../../../src/intake/signatures/public-key.ts";
import { CHAIN, HOLDER, pemOf, signedByChain } from "../../../support/certificates.ts";
import { RECEIVED_AT } from "../../../support/signed-request.ts";
import { APPLE, TEST_CA } from "./apple-certificates.ts";
import { keyVerdictOf } from "./key-verdict.ts";

const RULES = { leaf: "1.2.840.113635.100.6.11.1", issuer: "1.2.840.113635.100.6.2.1" };
/** Returns a certificate with another signature. */
function forged(certificate: string): string {
  const der = Buffer.from(certificate, "base64");
  der.writeUInt8(der.readUInt8(der.length - 1) ^ 1, der.length - 1);
  return der.toString("base64");
}

const OCTOBER_2025 = 1_761_962_975_000;

it("the certificates of the App Store lead to Apple's root", () => {
  const { publicKey = "" } = appStore;
  const sent = [APPLE.leaf, APPLE.intermediate, APPLE.root];
  expect(keyOfChain(sent, publicKey, RULES, OCTOBER_2025)).toMatch(/^-----BEGIN PUBLIC KEY-----/);
  // The root may be left out: it is trusted, not read.
  expect(keyOfChain(sent.slice(0, 2), publicKey, RULES, OCTOBER_2025)).toBeDefined();
});

describe("a chain is refused:", () => {
  const { leaf, intermediate, root } = CHAIN;
  const OTHER_LEAF = [TEST_CA.otherLeaf, TEST_CA.intermediate];
  const OTHER_ISSUER = [TEST_CA.leafOfOther, TEST_CA.otherIntermediate];
  it.each([
    ["with another root", [leaf, intermediate, root], TEST_CA.root, "do not lead to the root"],
    ["with Apple's names on another key", [leaf, APPLE.intermediate], root, "do not lead"],
    ["without the intermediate", [leaf, root], root, "do not lead"],
    ["in another order", [intermediate, leaf], root, "do not lead"],
    ["issued by no authority", [HOLDER.issued, HOLDER.holder, intermediate], root, "do not lead"],
    ["with a forged signature", [forged(leaf), intermediate], root, "do not lead"],
    [
      "with a leaf of another purpose",
      OTHER_LEAF,
      TEST_CA.root,
      `lacks the extension ${RULES.leaf}`,
    ],
    [
      "with another intermediate",
      OTHER_ISSUER,
      TEST_CA.root,
      `lacks the extension ${RULES.issuer}`,
    ],
    ["of the root alone", [root], root, "no certificates"],
    ["that is empty", [], root, "no certificates"],
    ["that is no list", leaf, root, "no certificates"],
    ["that is too long", Array(6).fill(leaf), root, "too many"],
    ["that is no certificate", ["AAAA"], root, "cannot be read"],
    ["that is not base64", ["{}"], root, "not base64"],
  ])("%s", (_, sent, trusted, message) => {
    const read = () => keyOfChain(sent, pemOf(trusted), RULES, RECEIVED_AT);
    expect(read).toThrow(message);
  });

  it.each([
    ["before", Date.parse("2019-12-31T23:59:59Z")],
    ["after", Date.parse("2120-01-01T00:00:01Z")],
  ])("%s the time for which it is valid", (_, now) => {
    const read = () => keyOfChain([leaf, intermediate], pemOf(root), RULES, now);
    expect(read).toThrow("is valid only from");
  });
});

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

  it("is for one app, at any place that names it", async () => {
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
