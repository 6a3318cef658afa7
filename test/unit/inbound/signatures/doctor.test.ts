import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  customScheme,
  PRESETS,
  type PresetName,
  type SignatureScheme,
} from "../../../../src/contract/inbound/signature.ts";
import { diagnose } from "../../../../src/inbound/signatures/doctor.ts";
import { customSchemeOf, presetOf } from "../../../../src/inbound/signatures/presets.ts";
import { signHeaders } from "../../../../src/inbound/signatures/verify.ts";
import type { OpenSecret } from "../../../../src/inbound/types.ts";
import { inboundRequest, RECEIVED_AT } from "../../../support/signed-request.ts";

const SECRET = "a secret of the tests";
const BODY = '{"b": 1, "a": "Gr\u00fc\u00dfe/<x>"}';
const URL_OF_ENDPOINT = "https://hooks.example/hooks/a";
const SECOND = String(RECEIVED_AT / 1_000);

const github = presetOf("github").scheme;
const slack = presetOf("slack").scheme;
const stripe = presetOf("stripe").scheme;
const standard = presetOf("standard-webhooks").scheme;
const custom = (body: object) => customSchemeOf(customScheme.parse(body));

type Digest = "hex" | "base64";
const mac = (text: string, key: string | Buffer = SECRET, algorithm = "sha256") => {
  const made = createHmac(algorithm, key).update(text);
  return { hex: () => made.digest("hex"), base64: () => made.digest("base64") };
};
const sha256 = (text: string, as: Digest = "hex") => mac(text)[as]();

/** What the doctor says, as one text. */
async function saidOf(
  scheme: SignatureScheme,
  headers: Record<string, string>,
  more: Partial<Parameters<typeof inboundRequest>[0]> & { secret?: OpenSecret } = {},
): Promise<string> {
  const { secret = { current: SECRET, previous: null }, ...changes } = more;
  const request = inboundRequest({ url: URL_OF_ENDPOINT, headers, body: BODY, ...changes });
  const sentences = await diagnose(scheme, secret, request, RECEIVED_AT);
  const said = sentences.join("\n");
  expect(said).not.toContain(secret.current);
  const sent = Object.values(headers).filter(({ length }) => length > 8);
  for (const value of sent) expect(said).not.toContain(value);
  return said;
}

it("says nothing of a signature that matches", async () => {
  expect(await saidOf(github, { "x-hub-signature-256": `sha256=${sha256(BODY)}` })).toBe("");
});

describe("the doctor names how the signature is written:", () => {
  it.each([
    [
      "hex for base64",
      presetOf("shopify").scheme,
      sha256(BODY),
      "hex was sent, and base64 is configured",
    ],
    [
      "base64 for hex",
      custom({}),
      sha256(BODY, "base64"),
      "base64 was sent, and hex is configured",
    ],
    [
      "another algorithm",
      custom({}),
      mac(BODY, SECRET, "sha512").hex(),
      "sha512 was used, and sha256 is configured",
    ],
    [
      "another algorithm and encoding",
      custom({}),
      mac(BODY, SECRET, "sha1").base64(),
      'sha1 was used, and sha256 is configured: set algorithm to "sha1".\nbase64 was sent',
    ],
    ["no prefix", github, sha256(BODY), "came without a prefix, and sha256=<64 hex digits> is"],
    [
      "a prefix",
      custom({ prefix: "" }),
      `sha256=${sha256(BODY)}`,
      "came after sha256=, and <64 hex",
    ],
    [
      "another prefix",
      github,
      `v0=${sha256(BODY)}`,
      "came after v0=, and sha256=<64 hex digits> is",
    ],
    [
      "pairs",
      custom({}),
      `t=5,v1=${sha256(BODY)}`,
      "came after v1=, and sha256=<64 hex digits> is",
    ],
  ])("%s", async (_, scheme, value, sentence) => {
    expect(await saidOf(scheme, { [scheme.header]: value })).toContain(sentence);
  });
});

describe("the doctor names where the signature is:", () => {
  it("in GitHub's older header", async () => {
    const said = await saidOf(github, {
      "X-Hub-Signature": `sha1=${mac(BODY, SECRET, "sha1").hex()}`,
    });
    expect(said).toContain("The header X-Hub-Signature-256 is missing.");
    expect(said).toContain(
      "X-Hub-Signature (sha1) was sent, and X-Hub-Signature-256 (sha256) is configured",
    );
  });

  it("in a header of the sender's own", async () => {
    const said = await saidOf(custom({}), { "x-acme-signature": sha256(BODY) });
    expect(said).toContain('set header to "x-acme-signature"');
  });

  it("nowhere", async () => {
    expect(await saidOf(github, {})).toContain("No header looks like a signature");
  });

  it("in headers that match nothing", async () => {
    const said = await saidOf(github, { "stripe-signature": "t=5,v1=00", "x-hmac": "zz" });
    expect(said).toContain("These look like signatures: Stripe-Signature, x-hmac.");
  });
});

describe("the doctor knows another preset:", () => {
  const secret = `whsec_${btoa("thirty-two bytes of a secret ...")}`;

  it.each(PRESETS.filter((name) => name !== "github"))("%s instead of github", async (name) => {
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
    const said = await diagnose(github, { current: secret, previous: null }, request, RECEIVED_AT);
    expect(said).toContain(`This is how ${name} signs: set auth.hmac.preset to "${name}".`);
  });

  it("github instead of any other", async () => {
    const others: PresetName[] = PRESETS.filter((name) => name !== "github");
    for (const name of others) {
      const said = await saidOf(presetOf(name).scheme, {
        "x-hub-signature-256": `sha256=${sha256(BODY)}`,
      });
      expect(said, name).toContain('set auth.hmac.preset to "github"');
    }
  });
});

describe("the doctor names what was put together:", () => {
  const slackHeaders = (text: string) => ({
    "x-slack-signature": `v0=${sha256(text)}`,
    "x-slack-request-timestamp": SECOND,
  });

  it.each([
    [BODY, "without the timestamp"],
    [`${SECOND}.${BODY}`, 'set template to "{timestamp}.{body}"'],
    [`${SECOND}${BODY}`, 'set template to "{timestamp}{body}"'],
    [`${SECOND}:${BODY}`, 'set template to "{timestamp}:{body}"'],
    [`${SECOND}\n${BODY}`, 'set template to "{timestamp}\\n{body}"'],
    [`${BODY}${SECOND}`, 'set template to "{body}{timestamp}"'],
    [`${BODY}.${SECOND}`, 'set template to "{body}.{timestamp}"'],
    [`${URL_OF_ENDPOINT}${BODY}`, 'set template to "{url}{body}"'],
    [URL_OF_ENDPOINT, "the body is not covered"],
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
    expect(said).toContain("X-Slack-Request-Timestamp is missing.");
    expect(said).toContain("The signature takes {timestamp} from x-acme-timestamp");
  });

  it("an id of the message", async () => {
    const headers = {
      "x-webhook-signature": sha256(`m1.${SECOND}.${BODY}`),
      "x-timestamp": SECOND,
      "x-message-id": "m1",
    };
    expect(await saidOf(custom({}), headers)).toContain("{id} from x-message-id");
  });

  it("pairs without their time", async () => {
    expect(await saidOf(stripe, { "stripe-signature": `v1=${sha256(BODY)}` })).toContain(
      "Stripe-Signature (t=) is missing.",
    );
  });
});

describe("the doctor names the body that was signed:", () => {
  const value = { b: 1, a: "Grüße/<x>" };
  const compact = JSON.stringify(value);
  const escaped = compact.replace("ü", "\\u00fc").replace("ß", "\\u00df");

  it.each([
    [compact, "as compact JSON,"],
    [JSON.stringify({ a: value.a, b: 1 }), "as compact JSON with sorted names"],
    [JSON.stringify(value, null, 2), "as JSON indented by 2"],
    [JSON.stringify(value, null, 4), "as JSON indented by 4"],
    [JSON.stringify(value, null, "\t"), "as JSON indented by tabs"],
    [escaped, "with other than ASCII characters as \\uXXXX"],
    [compact.replace("/", "\\/"), "with slashes as \\/"],
    [escaped.replace("/", "\\/"), "as PHP writes JSON"],
    [BODY.replace("ü", "\\u00fc").replace("ß", "\\u00df"), "as Python writes JSON:"],
    [`{"a": "Gr\\u00fc\\u00dfe/<x>", "b": 1}`, "as Python writes JSON with sorted names"],
    [compact.replace("<", "\\u003c").replace(">", "\\u003e"), "as Go writes JSON"],
    [`${BODY}\n`, "with a line break at its end"],
    ["", "an empty body"],
  ])("%j", async (signed, sentence) => {
    expect(await saidOf(github, { "x-hub-signature-256": `sha256=${sha256(signed)}` })).toContain(
      sentence,
    );
  });

  it.each([
    [`${BODY}\n`, BODY, "without the line break at its end"],
    ["a\r\nb", "a\nb", "with LF line breaks"],
    ["a\nb", "a\r\nb", "with CRLF line breaks"],
    [compact, `{"b": 1, "a": "Grüße/<x>"}`, 'as JSON with ", " and ": "'],
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
    expect(said).toContain('set template to "{timestamp}.{body}"');
    expect(said).toContain("as compact JSON,");
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
    expect(said).toContain("None of the known variants matches");
  });
});

describe("the doctor names the secret:", () => {
  const bytes = Buffer.from("thirty-two bytes of a secret ...");
  const whsec = `whsec_${bytes.toString("base64")}`;
  const bare = bytes.toString("base64");
  const headersOf = (key: string | Buffer) => ({ "x-webhook-signature": mac(BODY, key).hex() });

  it.each([
    ["utf8", whsec, bytes, "what follows whsec_ from base64"],
    ["utf8", bare, bytes, "decodes the secret from base64"],
    ["utf8", bytes.toString("hex"), bytes, "decodes the secret from hex"],
    ["utf8", whsec, Buffer.from(bare), "without its whsec_ as plain text"],
    ["whsec", whsec, Buffer.from(whsec), "uses the secret's text as it is"],
    ["whsec", bare, bytes, "save the secret with whsec_ before it"],
    ["base64", bare, Buffer.from(bare), 'set secretEncoding to "utf8"'],
    [
      "hex",
      bytes.toString("hex"),
      Buffer.from(bytes.toString("hex")),
      'set secretEncoding to "utf8"',
    ],
    ["base64", "not of base64!", Buffer.from("not of base64!"), 'set secretEncoding to "utf8"'],
    ["utf8", ` ${SECRET}\n`, Buffer.from(SECRET), "has no white space around it"],
    ["utf8", `"${SECRET}"`, Buffer.from(SECRET), "has no quotes around it"],
    ["utf8", SECRET, Buffer.from(`${SECRET}\n`), "ends with a line break"],
    ["utf8", SECRET, Buffer.from(`"${SECRET}"`), "has quotes around it"],
  ])("%s, %j", async (secretEncoding, current, key, sentence) => {
    const secret = { current, previous: null };
    expect(await saidOf(custom({ secretEncoding }), headersOf(key), { secret })).toContain(
      sentence,
    );
  });

  it("the one before, once it is over", async () => {
    const secret = { current: SECRET, previous: { value: "the old one", validUntil: RECEIVED_AT } };
    expect(await saidOf(custom({}), headersOf("the old one"), { secret })).toContain(
      "The previous secret was used, and it is no longer valid",
    );
  });

  it("together with another template", async () => {
    const headers = {
      "x-webhook-signature": mac(`${SECOND}.${BODY}`, bytes).hex(),
      "x-timestamp": SECOND,
    };
    const said = await saidOf(custom({}), headers, { secret: { current: whsec, previous: null } });
    expect(said).toContain("from base64");
    expect(said).toContain('set template to "{timestamp}.{body}"');
  });
});

describe("the doctor names the address that was signed:", () => {
  it.each([
    ["http://hooks.example/hooks/a?x=1", "signs the address with http://"],
    ["https://hooks.example/hooks/a/?x=1", "with a slash at its end"],
    ["https://hooks.example/hooks/a", "without its query"],
    ["http://hooks.example/hooks/a/?x=1", "with http:// and with a slash at its end"],
  ])("%s", async (signed, sentence) => {
    const url = `${URL_OF_ENDPOINT}?x=1`;
    const square = presetOf("square").scheme;
    const headers = { [square.header]: sha256(signed + BODY, "base64") };
    expect(await saidOf(square, headers, { url })).toContain(sentence);
    const twilio = presetOf("twilio").scheme;
    const signature = mac(`${signed}ab`, SECRET, "sha1").base64();
    const form = {
      [twilio.header]: signature,
      "content-type": "application/x-www-form-urlencoded",
    };
    expect(await saidOf(twilio, form, { url, body: "a=b" })).toContain(sentence);
  });
});

describe("where nothing matches the doctor says what it can:", () => {
  it.each([
    [github, `sha256=${"0".repeat(64)}`, "None of the known variants matches"],
    [github, `sha256=${"0".repeat(40)}`, "sha1 was used, and sha256 is configured"],
    [github, `sha256=${"0".repeat(30)}`, "holds hex of 15 bytes, and sha256 makes 32 bytes"],
    [github, "sha256=abcdefghijkl", "holds base64 of 9 bytes, and sha256 makes 32 bytes"],
    [github, "sha256=%%%", "holds neither hex nor base64"],
    [stripe, "t=5", "it should look like t=<timestamp>,v1=<64 hex digits>"],
    [
      standard,
      "v1,",
      "holds only its prefix, and sha256 makes 32 bytes: it should look like v1,<base64 of 32 bytes>",
    ],
  ])("%#", async (scheme, value, sentence) => {
    const headers = {
      [scheme.header]: value,
      "webhook-id": "the id",
      "webhook-timestamp": SECOND,
    };
    expect(await saidOf(scheme, headers)).toContain(sentence);
  });

  it("that the body of Twilio has another hash than its address", async () => {
    const { scheme } = presetOf("twilio");
    const url = `${URL_OF_ENDPOINT}?bodySHA256=${"0".repeat(64)}`;
    const headers = { [scheme.header]: mac(url, SECRET, "sha1").base64() };
    expect(await saidOf(scheme, headers, { url })).toContain("bodySHA256 is not its hash");
  });

  it("within a bounded time, whatever is sent", async () => {
    const headers: Record<string, string> = {};
    for (let at = 0; at < 30; at += 1) {
      headers[`x-${at}-signature`] = Array(80)
        .fill(`v1=${"0".repeat(40)}`)
        .join(",")
        .slice(0, 4_000);
      headers[`x-${at}-timestamp`] = String(Number(SECOND) + at);
      headers[`x-${at}-message-id`] = `message ${at}`;
    }
    const body = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const started = performance.now();
    expect(await saidOf(slack, headers, { body })).toContain("None of the known variants matches");
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
