import { describe, expect, it } from "vitest";
import { coversHost, hostPattern, retryAfterMs } from "../../../src/lib/http.ts";

const now = Date.parse("2026-11-21T10:00:00.000Z");

it.each<[string | null, number | null]>([
  ["120", 120_000],
  [" 0 ", 0],
  ["Sat, 21 Nov 2026 10:01:30 GMT", 90_000],
  ["Sat, 21 Nov 2026 09:00:00 GMT", 0],
  [null, null],
  ["", null],
  ["soon", null],
  ["-5", null],
  ["1.5", null],
  ["99999999999", null],
])("reads %j of Retry-After as a wait of %s milliseconds", (header, wait) => {
  expect(retryAfterMs(header, now)).toBe(wait);
});

describe("a pattern of hosts", () => {
  it.each([
    ["example.com", "example.com"],
    ["Example.COM.", "example.com"],
    ["*.example.com", "*.example.com"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["127.0.0.1:8080", "127.0.0.1:8080"],
    ["example.com:443", "example.com:443"],
    ["[::1]", "[::1]"],
    ["0x7f.1", "127.0.0.1"],
  ])("%s is read as %s", (text, pattern) => expect(hostPattern(text)).toBe(pattern));

  it.each([
    ...["", "*", "*.com", "*.127.0.0.1", "https://example.com", "example.com/x", "a@b.example"],
    ...["*.*.example.com", "exa mple.com"],
  ])("is not %j", (text) => expect(hostPattern(text)).toBeNull());

  it.each([
    ["example.com", "https://example.com/x", true],
    ["example.com", "https://example.com.:8443/", true],
    ["example.com", "https://www.example.com/", false],
    ["example.com", "https://example.com.evil.example/", false],
    ["*.example.com", "https://a.b.example.com/", true],
    ["*.example.com", "https://example.com/", false],
    ["*.example.com", "https://evilexample.com/", false],
    ["example.com:443", "https://example.com/", true],
    ["example.com:443", "http://example.com/", false],
    ["127.0.0.1:8080", "http://127.0.0.1:8081/", false],
    ["[::1]", "http://[::1]:3000/", true],
  ])("%s and %s: %s", (pattern, url, covers) => {
    expect(coversHost([pattern], new URL(url))).toBe(covers);
  });
});
