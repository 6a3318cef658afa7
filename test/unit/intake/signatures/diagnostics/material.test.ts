import { describe, expect, it } from "vitest";
import type { Cause } from "../../../../../src/contract/webhooks/advice.ts";
import type { SignatureScheme } from "../../../../../src/contract/webhooks/signature.ts";
import { presetOf } from "../../../../../src/intake/signatures/presets.ts";
import {
  BODY,
  base64,
  custom,
  diagnosed,
  expectCause,
  hex,
  SECOND,
  URL_OF_ENDPOINT,
} from "../../../../support/diagnosis.ts";

const own = custom();
const github = presetOf("github").scheme;
const slack = presetOf("slack").scheme;
const stripe = presetOf("stripe").scheme;
const X = "x-webhook-signature";
const TIME = { "x-timestamp": SECOND };
const TIMED = `${SECOND}.${BODY}`;
const inBase64 = custom({ encoding: "base64" });
const withId = { [X]: base64(`m1.${TIMED}`), "x-message-id": "m1", ...TIME };
const untimed = { "stripe-signature": `v1=${hex(BODY)}` };
const standard = presetOf("standard-webhooks").scheme;
const withoutId = { "webhook-timestamp": SECOND, "webhook-signature": `v1,${base64(BODY)}` };

const bySlack = (text: string, time = SECOND) => ({
  "x-slack-signature": `v0=${hex(text)}`,
  "x-slack-request-timestamp": time,
});

type Row = [signed: string, scheme: SignatureScheme, Record<string, string>, says: string];

describe("the diagnosis names the sender's template and the sources of its values:", () => {
  it.each<Row>([
    ["the time from a header", own, { [X]: hex(TIMED), ...TIME }, "{timestamp} from x-timestamp"],
    [
      "the time beside the signature",
      own,
      { [X]: `t=${SECOND},v1=${hex(TIMED)}` },
      "Signature (t=)",
    ],
    ["an id", own, { [X]: hex(`d_1.${BODY}`), "x-request-id": "d_1" }, "{id} from x-request-id"],
    ["an id and a time, in base64", inBase64, withId, "{timestamp} from x-timestamp and {id} from"],
    ["the URL", own, { [X]: hex(`${URL_OF_ENDPOINT}${BODY}`) }, 'Set template to "{url}{body}"'],
    ["the method", own, { [X]: hex(`POST${URL_OF_ENDPOINT}${BODY}`) }, '"{method}{url}{body}"'],
    ["another separator", slack, bySlack(TIMED), '"{timestamp}.{body}"'],
    ["a line break", slack, bySlack(`${SECOND}\n${BODY}`), '"{timestamp}\\n{body}"'],
    ["the time behind the body", slack, bySlack(`${BODY}${SECOND}`), '"{body}{timestamp}"'],
  ])("%s", async (_, scheme, headers, says) => {
    await expectCause({ scheme, headers }, { cause: "template", says, isFixable: true });
  });

  it("the time of another header than the configured one", async () => {
    const template = "{timestamp}.{body}";
    const scheme = custom({ template, timestampHeader: "X-Time" });
    const headers = { [X]: hex(TIMED), "x-acme-timestamp": SECOND };
    const says = "The sender signs {timestamp} from x-acme-timestamp. Configure that header.";
    await expectCause({ scheme, headers }, { cause: "signed_values", says, isFixable: true });
  });

  it("but not a configured header in another case", async () => {
    const scheme = custom({
      template: "{id}.{timestamp}.{body}",
      timestampHeader: "X-Acme-When",
      idHeader: "X-Acme-Which",
    });
    const headers = {
      [X]: base64(`m1.${SECOND}.${BODY}`),
      "x-acme-when": SECOND,
      "x-acme-which": "m1",
    };
    expect((await diagnosed({ scheme, headers })).said).toBe(
      'The signature is base64, but hex is configured. Set encoding to "base64".',
    );
  });
});

describe("the diagnosis of parts that the sender must also sign advises no change of the endpoint:", () => {
  it.each<[...Row, Cause]>([
    ["no time", slack, bySlack(BODY), "have the sender sign v0:{timestamp}:{body}", "template"],
    ["no time but the URL", slack, bySlack(URL_OF_ENDPOINT + BODY), "could replay", "template"],
    ["only the URL", own, { [X]: hex(URL_OF_ENDPOINT) }, "not cover the body", "body_unsigned"],
    ["only the time", own, { [X]: hex(SECOND), ...TIME }, "not cover the body", "body_unsigned"],
    [
      "a pair without time",
      stripe,
      untimed,
      "Stripe-Signature (t=) is missing.",
      "timestamp_missing",
    ],
    ["text", slack, bySlack(`v0:soon:${BODY}`, "soon"), "is not a timestamp", "timestamp_unit"],
    ["no id", standard, withoutId, "webhook-id is missing", "id_missing"],
  ])("%s", async (_, scheme, headers, says, cause) => {
    await expectCause({ scheme, headers }, { cause, says, isFixable: false });
  });

  it("names the missing header of the time beside the one that the sender uses", async () => {
    const signature = `v0=${hex(`v0:${SECOND}:${BODY}`)}`;
    const headers = { "x-slack-signature": signature, "x-acme-timestamp": SECOND };
    const { said } = await diagnosed({ scheme: slack, headers });
    expect(said).toContain("The timestamp in X-Slack-Request-Timestamp is missing.");
    expect(said).toContain("The sender signs {timestamp} from x-acme-timestamp");
  });
});

describe("the diagnosis names the body that was signed:", () => {
  const pretty = JSON.stringify(JSON.parse(BODY), null, 2);
  const escaped = BODY.replace("\u00fc", "\\u00fc");
  const onOneLine = BODY.replaceAll(/([:,])(?!\/)/g, "$1 ");
  const byPython = onOneLine.replace("\u00fc", "\\u00fc");

  it.each<[name: string, signed: string, sent: string, Cause, says: string]>([
    ["compact JSON", BODY, pretty, "body_json", "as compact JSON but"],
    ["indented JSON", pretty, BODY, "body_json", "as JSON indented by 2"],
    ["with names in order", '{"a":2,"b":3}', '{"b":3,"a":2}', "body_json", "with sorted names"],
    ["with escaped slashes", BODY.replaceAll("/", "\\/"), BODY, "body_json", "with slashes as"],
    ["PHP's JSON", escaped.replaceAll("/", "\\/"), BODY, "body_json", "as PHP writes JSON"],
    ["spaced JSON", onOneLine, BODY, "body_json", 'as JSON with ", " and ": "'],
    ["Python's JSON", byPython, BODY, "body_json", "as Python writes JSON:"],
    ["without a line break", BODY, `${BODY}\n`, "body_line_breaks", "without the line break"],
    ["with a line break", `${BODY}\n`, BODY, "body_line_breaks", "with a line break at its end"],
    ["with LF", "a\nb", "a\r\nb", "body_line_breaks", "with LF line breaks"],
    ["with CRLF", "a\r\nb", "a\nb", "body_line_breaks", "with CRLF line breaks"],
    ["an empty one", "", BODY, "body_missing", "signs an empty body. Sign the body"],
    ["another one", BODY, BODY.replace("7", "8"), "unknown", "No known variant matches"],
  ])("%s", async (_, signed, body, cause, says) => {
    const headers = { "x-hub-signature-256": `sha256=${hex(signed)}` };
    await expectCause({ scheme: github, headers, body }, { cause, says, isFixable: false });
  });

  it("under another template", async () => {
    const headers = { [X]: hex(TIMED), ...TIME };
    const { said } = await diagnosed({ scheme: own, headers, body: pretty });
    expect(said).toContain('Set template to "{timestamp}.{body}"');
    expect(said).toContain("as compact JSON but");
  });

  it("of a GET that signs nothing of its query", async () => {
    const headers = { "x-hub-signature-256": `sha256=${hex("")}` };
    const get = { method: "GET", body: "", url: `${URL_OF_ENDPOINT}?a=1` };
    const says = "covers nothing of a GET";
    const expected = { cause: "body_missing", says, isFixable: false } as const;
    await expectCause({ scheme: github, headers, ...get }, expected);
  });
});
