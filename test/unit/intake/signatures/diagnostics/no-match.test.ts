import { Hmac } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { diagnose } from "../../../../../src/intake/signatures/diagnostics/hmac.ts";
import { presetOf } from "../../../../../src/intake/signatures/presets.ts";
import { verifySignature } from "../../../../../src/intake/signatures/verify.ts";
import {
  base64,
  diagnosed,
  expectCause,
  SECOND,
  SECRET,
  URL_OF_ENDPOINT,
} from "../../../../support/diagnosis.ts";
import { inboundRequest, RECEIVED_AT } from "../../../../support/signed-request.ts";

const github = presetOf("github").scheme;
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
