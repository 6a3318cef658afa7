import { describe, expect, it } from "vitest";
import type { Cause } from "../../../../../src/contract/webhooks/advice.ts";
import type {
  PresetName,
  SignatureScheme,
} from "../../../../../src/contract/webhooks/signature.ts";
import { presetOf, RECOGNIZED } from "../../../../../src/intake/signatures/presets.ts";
import { signHeaders } from "../../../../../src/intake/signatures/verify.ts";
import {
  BODY,
  base64,
  custom,
  diagnosed,
  expectCause,
  hex,
  SECOND,
  SECRET,
  URL_OF_ENDPOINT,
} from "../../../../support/diagnosis.ts";
import { RECEIVED_AT } from "../../../../support/signed-request.ts";

const own = custom();
const github = presetOf("github").scheme;
const shopify = presetOf("shopify").scheme;
const stripe = presetOf("stripe").scheme;
const standard = presetOf("standard-webhooks").scheme;

const inHex = hex(BODY);
const spaced = (separator: string) => inHex.replace(/..(?=.)/g, `$&${separator}`).toUpperCase();

const SHA1_BASE64 = 'Set algorithm to "sha1".\nThe signature is base64';

type Written = [name: string, scheme: SignatureScheme, value: string, cause: Cause, says: string];

it.each<Written>([
  ["base64", own, base64(BODY), "encoding", 'hex is configured. Set encoding to "base64"'],
  ["hex", shopify, inHex, "encoding", 'Set encoding to "hex"'],
  ["another hash", own, hex(BODY, SECRET, "sha512"), "algorithm", 'Set algorithm to "sha512"'],
  ["another hash and encoding", own, base64(BODY, SECRET, "sha1"), "algorithm", SHA1_BASE64],
  ["no prefix", github, inHex, "prefix", "has no prefix, but sha256=<64 hex digits> is"],
  ["an unknown prefix", custom({ prefix: "" }), `v1=${inHex}`, "prefix", "has the prefix v1="],
  ["a space behind the prefix", own, `sha256= ${inHex}`, "prefix", 'prefix to "sha256= "'],
  ["the prefix twice", github, `sha256=sha256=${inHex}`, "prefix", 'to "sha256=sha256="'],
  ["a name before it", own, `HMAC ${inHex}`, "prefix", 'prefix to "HMAC "'],
  ["0x before it", github, `0x${inHex}`, "prefix", 'prefix to "0x"'],
  ["pairs", own, `t=${SECOND},v1=${inHex}`, "prefix", 'Set form to "pairs" and prefix to "v1"'],
  ["pairs with a semicolon", own, `ts=${SECOND};h1=${inHex}`, "prefix", 'prefix to "h1"'],
  ["another version", stripe, `t=${SECOND},v0=${hex(`${SECOND}.${BODY}`)}`, "prefix", 'to "v0"'],
])(
  "the diagnosis of a signature in another format names the setting to change: %s",
  async (_, scheme, value, cause, says) => {
    const headers = { [scheme.header]: value };
    await expectCause({ scheme, headers }, { cause, says, isFixable: true });
  },
);

it.each<Written>([
  ["hex with colons", own, spaced(":"), "encoding", "write the digits alone"],
  ["hex with hyphens (.NET)", github, `sha256=${spaced("-")}`, "encoding", "alone"],
  ["hex with spaces", own, spaced(" "), "encoding", "write the digits alone"],
  ["quotes around it", own, `"${inHex}"`, "prefix", "send the signature alone"],
  ["an empty header", own, " ", "header_empty", "X-Webhook-Signature is empty"],
  ["only the prefix", github, "sha256=", "not_a_signature", "must look like sha256=<64 hex"],
  ["a part of a signature", own, inHex.slice(0, 32), "not_a_signature", "must look like sha256="],
  ["the secret", own, SECRET, "not_a_signature", "must look like"],
  ["a UUID", own, "0b7c4f0e-5d1a-4c39-9a55-5a1d7a9a1f42", "not_a_signature", "must look like"],
  ["text", github, "sha256=%%%", "not_a_signature", "must look like"],
  ["pairs without a signature", stripe, "t=5", "not_a_signature", "t=<timestamp>,v1=<64 hex"],
])(
  "the diagnosis of an unsupported signature names what the sender must change: %s",
  async (_, scheme, value, cause, says) => {
    const headers = { [scheme.header]: value };
    await expectCause({ scheme, headers }, { cause, says, isFixable: false });
  },
);

describe("the diagnosis names the place of the signature:", () => {
  const byOldGithub = { "X-Hub-Signature": `sha1=${hex(BODY, SECRET, "sha1")}` };
  const signature = base64(`${SECOND}.${BODY}`);
  const byInPost = { "x-inpost-signature": signature, "x-inpost-timestamp": SECOND };

  it.each<[string, SignatureScheme, Record<string, string>, string]>([
    ["in a header of the sender's own", own, { "x-acme-signature": inHex }, '"x-acme-signature"'],
    ["in Authorization", own, { authorization: `HMAC ${base64(BODY)}` }, '"authorization"'],
    [
      "in GitHub's older header",
      github,
      byOldGithub,
      "but X-Hub-Signature-256 (sha256) is configured",
    ],
    ["beside a timestamp (InPost)", own, byInPost, '"x-inpost-signature"'],
  ])("%s", async (_, scheme, headers, says) => {
    await expectCause({ scheme, headers }, { cause: "header_name", says, isFixable: true });
  });

  it("under the names of Svix", async () => {
    const diagnosedBy = (scheme: SignatureScheme, text: string) => {
      const times = { "svix-id": "m1", "svix-timestamp": SECOND };
      return diagnosed({ scheme, headers: { ...times, "svix-signature": `v1,${base64(text)}` } });
    };
    const signed = `m1.${SECOND}.${BODY}`;
    const causes = expect.arrayContaining(["other_sender"]);
    expect(await diagnosedBy(own, signed)).toMatchObject({ causes, isFixable: true });
    expect((await diagnosedBy(standard, `${signed}\n`)).said).toBe(
      "The sender signs the body with a line break at its end but sends other bytes. Sign exactly the bytes that are sent.",
    );
  });

  it("in the configured header of any name, and first of many", async () => {
    const headers: Record<string, string> = { "x-zeta": base64(BODY) };
    for (let at = 0; at < 9; at += 1) headers[`x-${at}-signature`] = `${at}`;
    const { said } = await diagnosed({ scheme: custom({ header: "X-Zeta" }), headers });
    expect(said).toBe('The signature is base64, but hex is configured. Set encoding to "base64".');
  });

  it.each<[string, Record<string, string>, string]>([
    ["nowhere", {}, "X-Hub-Signature-256 is missing. No header looks like a signature"],
    ["nowhere beside a token", { authorization: "Bearer abc" }, "No header looks like a signature"],
    ["in headers that match nothing", { "x-hmac": "zz" }, "look like signatures: x-hmac."],
  ])("%s", async (_, headers, says) => {
    const cause = "header_missing";
    await expectCause({ scheme: github, headers }, { cause, says, isFixable: false });
  });
});

describe("the diagnosis recognizes another preset:", () => {
  const signsAs = (name: PresetName) => JSON.stringify(presetOf(name).scheme);
  // Some presets sign as another one does, which is then named.
  const named = RECOGNIZED.filter(
    (name) => RECOGNIZED.find((other) => signsAs(other) === signsAs(name)) === name,
  );
  const others = named.filter((name) => name !== "github");

  async function expectRecognized(name: PresetName, scheme: SignatureScheme): Promise<void> {
    const current = `whsec_${btoa("thirty-two bytes of a secret ...")}`;
    const body = new TextEncoder().encode("a=b");
    const contentType = "application/x-www-form-urlencoded";
    const url = new URL(URL_OF_ENDPOINT);
    const message = { url, body, contentType, now: RECEIVED_AT, id: "m1" };
    const signed = await signHeaders(presetOf(name).scheme, current, message);
    const headers = { ...signed, "content-type": contentType };
    const says = `is signed as ${name} signs. Set auth.hmac.preset to "${name}".`;
    const expected = { cause: "other_sender", says, isFixable: true } as const;
    await expectCause({ scheme, headers, body, secret: { current } }, expected);
  }

  it.each(others)("%s instead of github", (name) => expectRecognized(name, github));

  it("slack instead of stripe", () => expectRecognized("slack", stripe));

  it("github instead of any other, without advice to give up the signed time", async () => {
    for (const name of others) {
      const { scheme } = presetOf(name);
      const isFixable = !scheme.template.includes("{timestamp}") && !scheme.signedHeaders;
      const advice = isFixable ? "Set auth.hmac.preset to" : "create an endpoint with the preset";
      const says = `${advice} "github"`;
      const headers = { "x-hub-signature-256": `sha256=${inHex}` };
      await expectCause({ scheme, headers }, { cause: "other_sender", says, isFixable });
    }
  });
});

const slack = presetOf("slack").scheme;
const X = "x-webhook-signature";
const TIME = { "x-timestamp": SECOND };
const TIMED = `${SECOND}.${BODY}`;
const inBase64 = custom({ encoding: "base64" });
const withId = { [X]: base64(`m1.${TIMED}`), "x-message-id": "m1", ...TIME };
const untimed = { "stripe-signature": `v1=${hex(BODY)}` };
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
