import { describe, expect, it } from "vitest";
import { BODY, custom, mac, SECOND, SECRET, saidOf } from "../../../../support/diagnosis.ts";
import { RECEIVED_AT } from "../../../../support/signed-request.ts";

describe("signature diagnostics name the secret:", () => {
  const bytes = Buffer.from("thirty-two bytes of a secret ...");
  const whsec = `whsec_${bytes.toString("base64")}`;
  const bare = bytes.toString("base64");
  const headersOf = (key: string | Buffer) => ({ "x-webhook-signature": mac(BODY, key).hex() });

  it.each([
    ["utf8", whsec, bytes, "the part after whsec_ from base64"],
    ["utf8", bare, bytes, "decodes the secret from base64"],
    ["utf8", bytes.toString("hex"), bytes, "decodes the secret from hex"],
    ["utf8", whsec, Buffer.from(bare), "without its whsec_ as plain text"],
    ["whsec", whsec, Buffer.from(whsec), "uses the text of the secret without decoding it"],
    ["whsec", btoa("sixteen bytes .."), Buffer.from("sixteen bytes .."), "with the prefix whsec_"],
    ["base64", bare, Buffer.from(bare), 'Set secretEncoding to "utf8"'],
    [
      "hex",
      bytes.toString("hex"),
      Buffer.from(bytes.toString("hex")),
      'Set secretEncoding to "utf8"',
    ],
    ["base64", "not of base64!", Buffer.from("not of base64!"), 'Set secretEncoding to "utf8"'],
    ["utf8", ` ${SECRET}\n`, Buffer.from(SECRET), "has no white space around it"],
    ["utf8", `"${SECRET}"`, Buffer.from(SECRET), "has no quotes around it"],
    ["utf8", SECRET, Buffer.from(`${SECRET}\n`), "has a line break or a space around it"],
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
      "The sender uses the previous secret, which is no longer valid",
    );
  });

  it("together with another template", async () => {
    const headers = {
      "x-webhook-signature": mac(`${SECOND}.${BODY}`, bytes).hex(),
      "x-timestamp": SECOND,
    };
    const said = await saidOf(custom({}), headers, { secret: { current: whsec, previous: null } });
    expect(said).toContain("from base64");
    expect(said).toContain('Set template to "{timestamp}.{body}"');
  });
});
