import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../../../src/contract/webhooks/payload.ts";
import { apply } from "../../../../support/mapping.ts";

describe("the transform domain", () => {
  it.each([
    ["https://www.shop.example.com/a?b#c", "www.shop.example.com", "example.com"],
    ["HTTP://user:pw@Shop.Example.CO.UK:8080/", "shop.example.co.uk", "example.co.uk"],
    ["ann@mail.example.org", "mail.example.org", "example.org"],
    ["Ann Lee <ann@example.org>", "example.org", "example.org"],
    ["shop.example.com:443/path", "shop.example.com", "example.com"],
    ["www.tiktok.com:443/@ann?mail=a@b.org", "www.tiktok.com", "tiktok.com"],
    ["shop.example.com?to=ann@example.org", "shop.example.com", "example.com"],
    ["https://a.example.com/?from=<ann@example.org>", "a.example.com", "example.com"],
    ["ann.lee/sales@example.org", "example.org", "example.org"],
    ["mailto:ann@example.org?cc=bob@example.net", "example.org", "example.org"],
    ["//cdn.example.com/x.js", "cdn.example.com", "example.com"],
    ["example.com.", "example.com", "example.com"],
    ["postgres://db.example.com/x", "db.example.com", "example.com"],
    ["https://BÜCHER.example", "xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["https://a.foo.github.io", "a.foo.github.io", "foo.github.io"],
    [" https://example.com ", "example.com", "example.com"],
  ])("finds the host and the registrable domain of %s", async (text, host, registrable) => {
    expect(await apply(text, { type: "domain", level: "host" })).toBe(host);
    expect(await apply(text, { type: "domain" })).toBe(registrable);
  });

  it.each([
    ["http://127.0.0.1/x", "127.0.0.1"],
    ["http://[2001:db8::1]/", "2001:db8::1"],
    ["2001:DB8::1", "2001:db8::1"],
    ["http://localhost:8787", "localhost"],
    ["https://github.io", "github.io"],
  ])("finds only the host of %s", async (text, host) => {
    expect(await apply(text, { type: "domain", level: "host" })).toBe(host);
    expect(await apply(text, { type: "domain" })).toEqual({
      refused: expect.stringContaining("has no registrable domain"),
    });
  });

  it.each<PayloadValue>([
    ...["", "hello", "123", "javascript:alert(1)", "data:text/html,x", "http://", "@", ".."],
    ...["a@b@c.com", "exa mple.com", "https://exa mple.com", `${"a".repeat(300)}.com`],
    ...["https://example.com/".padEnd(10_000, "x"), 7, null, ["example.com"]],
  ])("refuses %s", async (value) => {
    expect(await apply(value, { type: "domain" })).toEqual({ refused: expect.any(String) });
  });
});
