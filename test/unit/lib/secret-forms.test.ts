import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scrubberOf } from "../../../src/lib/secret-forms.ts";

const SECRET = "s3cr3t-/+?=&<Zz";
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "utf8"));
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8");
const reversed = (text: string) => [...text].reverse().join("");

const FORMS: [name: string, encode: (text: string) => string][] = [
  ["as it is", (text) => text],
  ["in capitals", (text) => text.toUpperCase()],
  ["reversed", reversed],
  ["in base64", (text) => Buffer.from(text).toString("base64")],
  ["in base64url", (text) => Buffer.from(text).toString("base64url")],
  ["reversed in base64", (text) => Buffer.from(reversed(text)).toString("base64")],
  ["in hex", (text) => Buffer.from(text).toString("hex")],
  ["in hex with colons", (text) => Buffer.from(text).toString("hex").match(/../g)?.join(":") ?? ""],
  ["for a URL", encodeURIComponent],
  ["as a form", (text) => new URLSearchParams({ q: text }).toString()],
  ["wholly for a URL", (text) => Buffer.from(text).toString("hex").replace(/../g, "%$&")],
  ["in JSON", JSON.stringify],
  ["for HTML", (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")],
];

describe("a scrubber", () => {
  it.each(FORMS)("hides a secret %s, anywhere in a text", (_, encode) => {
    const { text, bytes } = scrubberOf([`Bearer ${SECRET}`]);
    for (const before of ["", "a", "ab", "abc"]) {
      const echo = encode(`${before} ${SECRET} end`);
      const kept = encode(SECRET).slice(2, -6);
      expect(text(`<${echo}>`)).not.toContain(kept);
      expect(textOf(bytes(bytesOf(echo), false))).not.toContain(kept);
    }
  });

  it("hides the content of Basic credentials", () => {
    const { text } = scrubberOf([`Basic ${Buffer.from(`ann:${SECRET}`).toString("base64")}`]);
    expect(text(`The password ${SECRET} of ann:${SECRET}`)).toBe(
      "The password [redacted] of [redacted]",
    );
  });

  it("hides a partial secret at the end of a cut answer", () => {
    const { bytes } = scrubberOf([SECRET]);
    expect(textOf(bytes(bytesOf(`It is ${SECRET.slice(0, 9)}`), true))).toBe("It is [redacted]");
    expect(textOf(bytes(bytesOf(`It is ${SECRET.slice(0, 9)}`), false))).toContain("s3cr3t");
  });

  it("changes nothing else", () => {
    const { text, bytes } = scrubberOf(["Token 4f5d9e0c-77aa-4d0b"]);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.uint8Array(), (some, raw) => {
        expect(text(some)).toBe(some);
        expect(bytes(raw, false)).toBe(raw);
      }),
    );
  });
});
