import { describe, expect, it, vi } from "vitest";
import { presetOf } from "../../../../../src/intake/signatures/presets.ts";
import {
  diagnosisOf,
  mac,
  SECOND,
  SECRET,
  saidOf,
  URL_OF_ENDPOINT,
} from "../../../../support/diagnosis.ts";
import { inboundRequest } from "../../../../support/signed-request.ts";

const github = presetOf("github").scheme;
const slack = presetOf("slack").scheme;
const stripe = presetOf("stripe").scheme;
const standard = presetOf("standard-webhooks").scheme;

const NO_VARIANT =
  "No known variant matches: the sender uses another secret, or the body was changed in transit.";

describe("without a match, signature diagnostics describe", () => {
  it.each([
    [github, `sha256=${"0".repeat(64)}`, "No known variant matches"],
    [github, `sha256=${"0".repeat(40)}`, "sha1, but sha256 is configured"],
    [github, `sha256=${"0".repeat(30)}`, "must look like sha256=<64 hex digits>"],
    [stripe, "t=5", "must look like t=<timestamp>,v1=<64 hex digits>"],
    [standard, "v1,", "must look like v1,<base64 of 32 bytes>"],
  ])("%#", async (scheme, value, sentence) => {
    const headers = {
      [scheme.header]: value,
      "webhook-id": "the id",
      "webhook-timestamp": SECOND,
    };
    expect(await saidOf(scheme, headers)).toContain(sentence);
  });

  it("nothing else where the signature has the right form", async () => {
    const zeros = { "x-hub-signature-256": `sha256=${"0".repeat(64)}` };
    expect(await saidOf(github, zeros)).toBe(NO_VARIANT);
    const two = { "stripe-signature": `t=${SECOND},v0=${"0".repeat(40)},v1=${"0".repeat(64)}` };
    expect(await saidOf(stripe, two)).toBe(NO_VARIANT);
  });

  it("first how the signature is written, where that is wrong as well", async () => {
    const value = Buffer.alloc(32).toString("base64");
    expect(await saidOf(github, { "x-hub-signature-256": `sha256=${value}` })).toBe(
      `The signature is base64, but hex is configured. Set encoding to "base64".\n${NO_VARIANT}`,
    );
  });

  it("the form alone of a text that cannot be a signature", async () => {
    expect(await saidOf(github, { "x-hub-signature-256": "sha256=%%%" })).toBe(
      "X-Hub-Signature-256 must look like sha256=<64 hex digits>.",
    );
  });

  it("that the body of Twilio has another hash than its URL", async () => {
    const { scheme } = presetOf("twilio");
    const url = `${URL_OF_ENDPOINT}?bodySHA256=${"0".repeat(64)}`;
    const headers = { [scheme.header]: mac(url, SECRET, "sha1").base64() };
    expect(await saidOf(scheme, headers, { url })).toContain(
      "bodySHA256 in the URL is not its hash",
    );
  });

  it("of the first of many in a short time", async () => {
    const secret = { current: SECRET, previous: null };
    const request = inboundRequest({ headers: { "x-hub-signature-256": "sha256=0" } });
    const saidAt = async (now: number) => (await diagnosisOf(github, secret, request, now)).join();
    for (let at = 0; at < 30; at += 1) expect(await saidAt(at)).toContain("must look like");
    expect(await saidAt(30)).toContain("was not examined");
    expect(await saidAt(10_000)).toContain("must look like");
  });

  it.each([
    ["small", `{"a": ["ü/<"]}`, 502],
    ["large", JSON.stringify({ text: "x".repeat(250_000) }, null, 2), 40],
    ["too deep to be read", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, 50],
  ])(
    "after a bounded number of tries, whatever is sent with a body that is %s",
    async (_, body, most) => {
      const headers: Record<string, string> = {};
      for (let at = 0; at < 30; at += 1) {
        const zeros = Array(80)
          .fill(`v1=${"0".repeat(40)}`)
          .join(",");
        headers[`x-${at}-signature`] = zeros.slice(0, 4_000);
        headers[`x-${at}-timestamp`] = String(Number(SECOND) + at);
        headers[`x-${at}-message-id`] = `message ${at}`;
      }
      const sign = vi.spyOn(crypto.subtle, "sign");
      expect(await saidOf(slack, headers, { body })).toContain("No known variant matches");
      expect(sign.mock.calls.length).toBeLessThanOrEqual(most);
      sign.mockRestore();
    },
  );
});
