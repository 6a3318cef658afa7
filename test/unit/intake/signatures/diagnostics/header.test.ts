import { describe, expect, it } from "vitest";
import type { PresetName } from "../../../../../src/contract/webhooks/signature.ts";
import { presetOf, RECOGNIZED } from "../../../../../src/intake/signatures/presets.ts";
import { signHeaders } from "../../../../../src/intake/signatures/verify.ts";
import {
  BODY,
  custom,
  diagnosisOf,
  mac,
  SECRET,
  saidOf,
  sha256,
  URL_OF_ENDPOINT,
} from "../../../../support/diagnosis.ts";
import { inboundRequest, RECEIVED_AT } from "../../../../support/signed-request.ts";

const github = presetOf("github").scheme;

it("says nothing of a signature that matches", async () => {
  expect(await saidOf(github, { "x-hub-signature-256": `sha256=${sha256(BODY)}` })).toBe("");
});

describe("signature diagnostics name how the signature is written:", () => {
  it.each([
    [
      "another algorithm and encoding",
      custom({}),
      mac(BODY, SECRET, "sha1").base64(),
      'sha1, but sha256 is configured. Set algorithm to "sha1".\nThe signature is base64',
    ],
    ["no prefix", github, sha256(BODY), "has no prefix, but sha256=<64 hex digits> is"],
    [
      "pairs",
      custom({}),
      `t=5,v1=${sha256(BODY)}`,
      "has the prefix v1=, but sha256=<64 hex digits> is",
    ],
  ])("%s", async (_, scheme, value, sentence) => {
    expect(await saidOf(scheme, { [scheme.header]: value })).toContain(sentence);
  });
});

describe("signature diagnostics name where the signature is:", () => {
  it("in GitHub's older header", async () => {
    const said = await saidOf(github, {
      "X-Hub-Signature": `sha1=${mac(BODY, SECRET, "sha1").hex()}`,
    });
    expect(said).toContain("The header X-Hub-Signature-256 is missing.");
    expect(said).toContain(
      "x-hub-signature (sha1), but X-Hub-Signature-256 (sha256) is configured",
    );
  });

  it("in a header of the sender's own", async () => {
    const said = await saidOf(custom({}), { "x-acme-signature": sha256(BODY) });
    expect(said).toContain('Set header to "x-acme-signature"');
  });

  it("in Authorization, unless that holds a token", async () => {
    const said = await saidOf(custom({}), { authorization: `HMAC ${sha256(BODY, "base64")}` });
    expect(said).toContain('Set header to "authorization"');
    expect(await saidOf(custom({}), { authorization: "Bearer of a token" })).toContain(
      "No header looks like a signature",
    );
  });

  it("under the names of Svix, where something else is wrong", async () => {
    const second = String(RECEIVED_AT / 1_000);
    const sent = (text: string) => ({
      "svix-id": "m1",
      "svix-timestamp": second,
      "svix-signature": `v1,${sha256(text, "base64")}`,
    });
    const standard = presetOf("standard-webhooks").scheme;
    expect(await saidOf(standard, sent(`m1.${second}.${BODY}\n`))).toBe(
      "The sender signs the body with a line break at its end but sends other bytes. Sign exactly the bytes that are sent.",
    );
    expect(await saidOf(standard, sent("other"))).toBe(
      "No known variant matches: the sender uses another secret, or the body was changed in transit.",
    );
  });

  it("in the configured header, however that is named, and first of many", async () => {
    const headers: Record<string, string> = { "x-zeta": sha256(BODY, "base64") };
    for (let at = 0; at < 9; at += 1) headers[`x-${at}-signature`] = `${at}`;
    expect(await saidOf(custom({ header: "X-Zeta" }), headers)).toBe(
      'The signature is base64, but hex is configured. Set encoding to "base64".',
    );
  });

  it("nowhere", async () => {
    expect(await saidOf(github, {})).toContain("No header looks like a signature");
  });

  it("in headers that match nothing", async () => {
    const said = await saidOf(github, { "stripe-signature": "t=5,v1=00", "x-hmac": "zz" });
    expect(said).toContain("These headers look like signatures: stripe-signature, x-hmac.");
  });
});

describe("signature diagnostics recognize another preset:", () => {
  const secret = `whsec_${btoa("thirty-two bytes of a secret ...")}`;

  const signsAs = (name: PresetName) => JSON.stringify(presetOf(name).scheme);
  // Some presets sign as another one does, which is then named.
  const named = RECOGNIZED.filter(
    (name) => RECOGNIZED.find((other) => signsAs(other) === signsAs(name)) === name,
  );

  it.each(named.filter((name) => name !== "github"))("%s instead of github", async (name) => {
    const contentType = "application/x-www-form-urlencoded";
    const body = new TextEncoder().encode("a=b");
    const url = new URL(URL_OF_ENDPOINT);
    const message = { url, body, contentType, now: RECEIVED_AT, id: "m1" };
    const headers = await signHeaders(presetOf(name).scheme, secret, message);
    const request = inboundRequest({
      url,
      body,
      headers: { ...headers, "content-type": contentType },
    });
    const said = await diagnosisOf(
      github,
      { current: secret, previous: null },
      request,
      RECEIVED_AT,
    );
    expect(said).toContain(
      `The request is signed as ${name} signs. Set auth.hmac.preset to "${name}".`,
    );
  });

  it("github instead of any other", async () => {
    const others = named.filter((name) => name !== "github");
    for (const name of others) {
      const said = await saidOf(presetOf(name).scheme, {
        "x-hub-signature-256": `sha256=${sha256(BODY)}`,
      });
      // No advice gives up the signed time.
      const { template, signedHeaders } = presetOf(name).scheme;
      const isTimed = template.includes("{timestamp}") || signedHeaders !== undefined;
      const advice = isTimed ? "create an endpoint with the preset" : "Set auth.hmac.preset to";
      expect(said, name).toContain(`${advice} "github"`);
    }
  });
});
