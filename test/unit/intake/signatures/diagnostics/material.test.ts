import { describe, expect, it } from "vitest";
import { presetOf } from "../../../../../src/intake/signatures/presets.ts";
import {
  BODY,
  custom,
  SECOND,
  saidOf,
  sha256,
  URL_OF_ENDPOINT,
} from "../../../../support/diagnosis.ts";

const github = presetOf("github").scheme;
const slack = presetOf("slack").scheme;
const stripe = presetOf("stripe").scheme;

describe("signature diagnostics name what was signed:", () => {
  const slackHeaders = (text: string) => ({
    "x-slack-signature": `v0=${sha256(text)}`,
    "x-slack-request-timestamp": SECOND,
  });

  it.each([
    [BODY, "have the sender sign v0:{timestamp}:{body}"],
    [`${SECOND}.${BODY}`, 'Set template to "{timestamp}.{body}"'],
    [`${SECOND}${BODY}`, 'Set template to "{timestamp}{body}"'],
    [`${SECOND}:${BODY}`, 'Set template to "{timestamp}:{body}"'],
    [`${SECOND}\n${BODY}`, 'Set template to "{timestamp}\\n{body}"'],
    [`${BODY}${SECOND}`, 'Set template to "{body}{timestamp}"'],
    [`${BODY}.${SECOND}`, 'Set template to "{body}.{timestamp}"'],
    [`${URL_OF_ENDPOINT}${BODY}`, "Without a signed time anyone could replay the request"],
    [URL_OF_ENDPOINT, "does not cover the body"],
  ])("%j", async (text, sentence) => {
    expect(await saidOf(slack, slackHeaders(text))).toContain(sentence);
  });

  it("a timestamp where none is configured, and its header", async () => {
    const headers = {
      "x-webhook-signature": sha256(`${SECOND}.${BODY}`),
      "x-acme-timestamp": SECOND,
    };
    const said = await saidOf(custom({}), headers);
    expect(said).toContain(
      "The sender signs {timestamp}.{body}, with {timestamp} from x-acme-timestamp",
    );
  });

  it("a timestamp from another header than the configured one", async () => {
    const headers = {
      "x-slack-signature": `v0=${sha256(`v0:${SECOND}:${BODY}`)}`,
      "x-acme-timestamp": SECOND,
    };
    const said = await saidOf(slack, headers);
    expect(said).toContain("The timestamp in X-Slack-Request-Timestamp is missing.");
    expect(said).toContain("The sender signs {timestamp} from x-acme-timestamp");
  });

  it("an id of the message", async () => {
    const headers = {
      "x-webhook-signature": sha256(`m1.${SECOND}.${BODY}`),
      "x-timestamp": SECOND,
      "x-message-id": "m1",
    };
    expect(await saidOf(custom({}), headers)).toContain(
      "with {timestamp} from x-timestamp and {id} from x-message-id",
    );
  });

  it("a timestamp in the header of the signature", async () => {
    const value = `t=${SECOND},v1=${sha256(`${SECOND}.${BODY}`)}`;
    expect(await saidOf(custom({}), { "x-webhook-signature": value })).toContain(
      "{timestamp} from X-Webhook-Signature (t=)",
    );
  });

  it("nothing of a header that is configured, in whatever case it comes", async () => {
    const scheme = custom({
      template: "{id}.{timestamp}.{body}",
      timestampHeader: "X-Acme-When",
      idHeader: "X-Acme-Which",
    });
    const headers = {
      "x-webhook-signature": sha256(`m1.${SECOND}.${BODY}`, "base64"),
      "x-acme-when": SECOND,
      "x-acme-which": "m1",
    };
    expect(await saidOf(scheme, headers)).toBe(
      'The signature is base64, but hex is configured. Set encoding to "base64".',
    );
  });

  it("the template to set, where no timestamp was configured", async () => {
    const headers = { "x-webhook-signature": `sha256=${sha256(URL_OF_ENDPOINT + BODY)}` };
    expect(await saidOf(custom({}), headers)).toBe(
      'The sender signs {url}{body}, but {body} is configured. Set template to "{url}{body}".',
    );
  });

  it("pairs without their time", async () => {
    expect(await saidOf(stripe, { "stripe-signature": `v1=${sha256(BODY)}` })).toContain(
      "Stripe-Signature (t=) is missing.",
    );
  });
});

describe("signature diagnostics name the body that was signed:", () => {
  const value = { b: 1, a: "Grüße/<x>" };
  const compact = JSON.stringify(value);

  it.each([
    [`${BODY}\n`, BODY, "without the line break at its end"],
    ["a\r\nb", "a\nb", "with LF line breaks"],
    ["a\nb", "a\r\nb", "with CRLF line breaks"],
    [compact, `{"b": 1, "a": "Grüße/<x>"}`, 'as JSON with ", " and ": "'],
    ['[1,{"a":null,"b":[]}]', '[1, {"a": null, "b": []}]', "as Python writes JSON:"],
    ['{"c":1,"a":2,"b":3}', '{"a":2,"b":3,"c":1}', "as compact JSON with sorted names"],
  ])("sent as %j, signed as %j", async (body, signed, sentence) => {
    const headers = { "x-hub-signature-256": `sha256=${sha256(signed)}` };
    expect(await saidOf(github, headers, { body })).toContain(sentence);
  });

  it("under another template", async () => {
    const headers = {
      "x-webhook-signature": sha256(`${SECOND}.${compact}`),
      "x-timestamp": SECOND,
    };
    const said = await saidOf(custom({}), headers);
    expect(said).toContain('Set template to "{timestamp}.{body}"');
    expect(said).toContain("as compact JSON but");
  });

  it("of a GET that signs nothing of its query", async () => {
    const headers = { "x-hub-signature-256": `sha256=${sha256("")}` };
    const more = { method: "GET", body: "", url: `${URL_OF_ENDPOINT}?a=1` };
    expect(await saidOf(github, headers, more)).toContain("covers nothing of a GET");
  });

  it("no longer when it is large", async () => {
    const large = JSON.stringify({ text: "x".repeat(300_000) }, null, 2);
    const headers = {
      "x-hub-signature-256": `sha256=${sha256(JSON.stringify(JSON.parse(large)))}`,
    };
    const said = await saidOf(github, headers, { body: large });
    expect(said).toContain("No known variant matches");
  });
});
