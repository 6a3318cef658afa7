import { describe, expect, it } from "vitest";
import { decodeText } from "../../../../src/agent/tools/response-body.ts";

/** Bytes of a text whose characters are all below 256. */
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string) => latin1(text.replace(/./g, "$&\0"));

describe("the encoding of a body is taken from", () => {
  it("a byte order mark first", () => {
    const bytes = Uint8Array.of(0xff, 0xfe, ...utf16("hi"));
    expect(decodeText(bytes, "text/html; charset=iso-8859-1")).toBe("hi");
    expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8("é")), null)).toBe("é");
  });

  it.each([
    ["text/html; charset=windows-1251", [0xcf, 0xf0], "Пр"],
    ['text/html;charset="Shift_JIS"', [0x93, 0xfa], "日"],
    ["text/plain; format=flowed; charset=iso-8859-2", [0xb1], "ą"],
  ])("the Content-Type: %s", (contentType, bytes, text) => {
    expect(decodeText(Uint8Array.from(bytes), contentType)).toBe(text);
  });

  it.each([
    '<!doctype html><meta charset="windows-1251"><p>\xcf\xf0',
    "<META CHARSET=windows-1251><p>\xcf\xf0",
    '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>\xcf\xf0',
    '<?xml version="1.0" encoding="windows-1251"?><p>\xcf\xf0',
  ])("the page's own declaration: %s", (page) => {
    expect(decodeText(latin1(page), "text/html")).toMatch(/Пр$/);
  });

  it("the bytes themselves if nothing declares it", () => {
    expect(decodeText(utf8("naïve – 日本"), null)).toBe("naïve – 日本");
    expect(decodeText(latin1("na\xefve \x96 caf\xe9"), "text/html")).toBe("naïve – café");
  });
});

it("reads a page that wrongly declares UTF-16 as UTF-8", () => {
  expect(decodeText(utf8('<meta charset="utf-16">é'), null)).toContain("é");
});

it("falls back if the declared encoding is unknown", () => {
  const bytes = utf8("<meta charset=utf8mb4>Grüße");
  expect(decodeText(bytes, "text/html; charset=klingon")).toContain("Grüße");
});

it("drops a character that was cut in half, and replaces invalid ones", () => {
  expect(decodeText(utf8("a€").slice(0, 3), null)).toBe("a");
  expect(decodeText(Uint8Array.of(0x61, 0xff, 0x62), "text/html; charset=utf-8")).toBe("a\ufffdb");
});
