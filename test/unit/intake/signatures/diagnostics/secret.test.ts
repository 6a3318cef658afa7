import { describe, expect, it } from "vitest";
import type { Cause } from "../../../../../src/contract/webhooks/advice.ts";
import { presetOf } from "../../../../../src/intake/signatures/presets.ts";
import {
  BODY,
  custom,
  diagnosed,
  expectCause,
  hex,
  SECOND,
  SECRET,
} from "../../../../support/diagnosis.ts";
import { RECEIVED_AT } from "../../../../support/signed-request.ts";

const KEY = Buffer.from("thirty-two bytes of a secret ...");
const IN_HEX = KEY.toString("hex");
const BARE = KEY.toString("base64");
const WHSEC = `whsec_${BARE}`;
const github = presetOf("github").scheme;
const signedBy = (key: string | Buffer) => ({ "x-hub-signature-256": `sha256=${hex(BODY, key)}` });

it.each<[encoding: string, stored: string, key: string | Buffer, says: string]>([
  ["utf8", WHSEC, KEY, "the part after whsec_ from base64"],
  ["utf8", BARE, KEY, "decodes the secret from base64"],
  ["utf8", IN_HEX, KEY, "decodes the secret from hex"],
  ["utf8", `0x${IN_HEX}`, KEY, "without the 0x, the quotes or the separators"],
  ["utf8", IN_HEX.replace(/..(?=.)/g, "$&:"), KEY, "Save the digits alone"],
  ["utf8", `"${IN_HEX}"`, KEY, "Save the digits alone"],
  ["utf8", WHSEC, BARE, "without its whsec_ as plain text"],
  ["whsec", WHSEC, WHSEC, "uses the text of the secret without decoding it"],
  ["whsec", btoa("sixteen bytes .."), Buffer.from("sixteen bytes .."), "the prefix whsec_"],
  ["base64", BARE, BARE, 'Set secretEncoding to "utf8"'],
  ["hex", IN_HEX, IN_HEX, 'Set secretEncoding to "utf8"'],
  ["base64", "not of base64!", "not of base64!", 'Set secretEncoding to "utf8"'],
])(
  "the diagnosis names the setting under which the stored secret is the sender's key: %s, %j",
  async (secretEncoding, current, key, says) => {
    const scheme = custom({ secretEncoding });
    const headers = { "x-webhook-signature": hex(BODY, key) };
    const expected = { cause: "secret_encoding", says, isFixable: true } as const;
    await expectCause({ scheme, headers, secret: { current } }, expected);
  },
);

it.each<[stored: string, Cause, says: string]>([
  [` ${SECRET}`, "secret_whitespace", "has no white space around it"],
  [`${SECRET}\r\n`, "secret_whitespace", "has no white space around it"],
  [`"${SECRET}"`, "secret_quotes", "has no quotes around it"],
  [`'${SECRET}'`, "secret_quotes", "has no quotes around it"],
  [`WEBHOOK_SECRET=${SECRET}`, "secret_variable", "begins with the name of a variable"],
  [`export API_KEY="${SECRET}"`, "secret_variable", "begins with the name of a variable"],
])(
  "the diagnosis names extra characters stored with the secret: %j",
  async (current, cause, says) => {
    const setup = { scheme: github, headers: signedBy(SECRET), secret: { current } };
    await expectCause(setup, { cause, says, isFixable: true });
  },
);

describe("the diagnosis names the sender's use of the secret:", () => {
  it.each<[stored: string, key: string, Cause, says: string]>([
    [SECRET, `${SECRET}\n`, "secret_whitespace", "has a line break or a space around it"],
    [SECRET, `\n${SECRET}`, "secret_whitespace", "has a line break or a space around it"],
    [SECRET, `${SECRET}\r\n`, "secret_whitespace", "has a line break or a space around it"],
    [SECRET, `${SECRET} `, "secret_whitespace", "has a line break or a space around it"],
    [SECRET, `"${SECRET}"`, "secret_quotes", "has quotes around it"],
    [SECRET, `GITHUB_WEBHOOK_SECRET=${SECRET}`, "secret_variable", "with the name of a variable"],
    [SECRET, `\${WEBHOOK_SECRET}`, "secret_variable", "Give it the value alone"],
    [SECRET, "{{ SIGNING_SECRET }}", "secret_variable", "Give it the value alone"],
    [SECRET, btoa(SECRET), "secret_encoding", "is the base64 of this one"],
    [SECRET, btoa(`${SECRET}\n`), "secret_encoding", "is the base64 of this one"],
    ["a-secret$with-!", "a-secret-!", "secret_cut", "what a shell or a file of variables takes"],
    ["a-secret#with-more", "a-secret", "secret_cut", "in single quotes"],
    ["two words", "two", "secret_cut", "in single quotes"],
    ["a-secret%with-more", "a-secret", "secret_cut", "in single quotes"],
    ["a\\b", "ab", "secret_cut", "in single quotes"],
    [SECRET, "", "secret_empty", "signs with an empty secret"],
    [SECRET, "undefined", "secret_empty", "signs with an empty secret"],
    ["sk_live_0123456789abcdef", "other", "secret_of_api", "is an API key"],
    ["$WEBHOOK_SECRET", "other", "secret_variable", "is the name of a variable"],
  ])("%j, %j", async (current, key, cause, says) => {
    const setup = { scheme: github, headers: signedBy(key), secret: { current } };
    await expectCause(setup, { cause, says, isFixable: false });
  });

  it("it swapped key and text", async () => {
    const headers = { "x-hub-signature-256": `sha256=${hex(SECRET, BODY)}` };
    const expected = { cause: "swapped", says: "Swap them", isFixable: false } as const;
    await expectCause({ scheme: github, headers }, expected);
  });

  it("it uses the previous one, which is no longer valid", async () => {
    const secret = { previous: { value: "the old one", validUntil: RECEIVED_AT } };
    const says = "The sender uses the previous secret, which is no longer valid";
    const expected = { cause: "secret_previous", says, isFixable: false } as const;
    await expectCause({ scheme: github, headers: signedBy("the old one"), secret }, expected);
  });
});

it("the diagnosis names a wrong secret together with a wrong template", async () => {
  const headers = { "x-webhook-signature": hex(`${SECOND}.${BODY}`, KEY), "x-timestamp": SECOND };
  const { said } = await diagnosed({ scheme: custom(), headers, secret: { current: WHSEC } });
  expect(said).toContain("from base64");
  expect(said).toContain('Set template to "{timestamp}.{body}"');
});
