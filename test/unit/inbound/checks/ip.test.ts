import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ip } from "../../../../src/inbound/checks/transport.ts";
import { authWith, endpointWith, requestWith } from "../../../support/hook-request.ts";
import { rulesOf } from "./support.ts";

const REFUSED = "ip_not_allowed: ip_allowlist";

function judged(ipAllowlist: string[] | null, sourceIp: string | null, headers = {}) {
  const at = endpointWith({ auth: authWith({ ipAllowlist }) });
  return rulesOf(ip, at, requestWith({ sourceIp, headers }));
}

describe("a list of addresses lets in", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["203.0.113.7/32", "203.0.113.7"],
    ["203.0.113.0/24", "203.0.113.255"],
    ["203.0.113.99/24", "203.0.113.0"],
    ["203.0.113.6/31", "203.0.113.7"],
    ["0.0.0.0/0", "255.255.255.255"],
    ["0.0.0.0/0", "::ffff:8.8.8.8"],
    ["128.0.0.0/1", "128.0.0.0"],
    ["203.0.113.7", "::ffff:203.0.113.7"],
    ["203.0.113.7", "::FFFF:cb00:7107"],
    ["203.0.113.7", "0:0:0:0:0:ffff:cb00:7107"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.0/120", "203.0.113.200"],
    ["::ffff:0.0.0.0/96", "1.2.3.4"],
    ["2001:db8::1", "2001:db8:0:0:0:0:0:1"],
    ["2001:0DB8:0000::0001", "2001:db8::1"],
    ["2001:db8::/32", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2001:db8::1/128", "2001:db8::1"],
    ["2001:db8::/127", "2001:db8::1"],
    ["::/0", "2001:db8::1"],
    ["::", "::"],
    ["::1", "0:0::1"],
  ])("%s: %s", async (entry, source) => {
    expect(await judged([entry], source)).toBe("passed");
  });
});

describe("a list of addresses keeps out", () => {
  it.each([
    ["203.0.113.7", "203.0.113.8"],
    ["203.0.113.7/32", "203.0.113.6"],
    ["203.0.113.0/24", "203.0.114.0"],
    ["203.0.113.0/24", "203.0.112.255"],
    ["128.0.0.0/1", "127.255.255.255"],
    ["2001:db8::/32", "2001:db9::"],
    ["2001:db8::1/128", "2001:db8::"],
    ["2001:db8::/127", "2001:db8::2"],
    ["0.0.0.0/0", "2001:db8::1"],
    ["::/0", "203.0.113.7"],
    ["::/0", "::ffff:203.0.113.7"],
    ["::ffff:203.0.113.0/120", "203.0.114.0"],
    // IPv4-compatible, not mapped: another address.
    ["203.0.113.7", "::203.0.113.7"],
  ])("%s: %s", async (entry, source) => {
    expect(await judged([entry], source)).toBe(REFUSED);
  });

  it.each([
    null,
    "",
    "localhost",
    "203.0.113",
    "203.0.113.07",
    "0313.0.113.7",
    "0xcb.0.113.7",
    "3405803783",
    "203.0.113.7:443",
    "203.0.113.7, 203.0.113.7",
    "203.0.113.7/32",
    "[2001:db8::1]",
    "fe80::1%eth0",
    "2001:db8::1::1",
    "::ffff:999.0.113.7",
  ])("whoever comes from what is no address: %j", async (source) => {
    expect(await judged(["0.0.0.0/0", "::/0"], source)).toBe(REFUSED);
  });

  it.each([
    "203.0.113.7/33",
    "203.0.113.7/-1",
    "203.0.113.7/",
    "203.0.113.7/032",
    "203.0.113.7/24/24",
    "203.0.113.7/255.255.255.0",
    "2001:db8::/129",
    "203.0.113",
    "*",
    "",
  ])("everybody, where an entry is none: %j", async (entry) => {
    expect(await judged([entry], "203.0.113.7")).toBe(REFUSED);
  });

  it("everybody, where it is empty", async () => {
    expect(await judged([], "203.0.113.7")).toBe(REFUSED);
  });

  it("who only says in a header where it comes from", async () => {
    const headers = {
      "X-Forwarded-For": "203.0.113.7",
      "X-Real-IP": "203.0.113.7",
      "True-Client-IP": "203.0.113.7",
      Forwarded: "for=203.0.113.7",
    };
    expect(await judged(["203.0.113.7"], "198.51.100.1", headers)).toBe(REFUSED);
    expect(await judged(["203.0.113.7"], null, headers)).toBe(REFUSED);
  });
});

it("is not context of a sender where there is no list", async () => {
  expect(await judged(null, null)).toBe("skipped");
});

it("lets in by any entry", async () => {
  expect(await judged(["198.51.100.1", "nothing", "203.0.113.0/24"], "203.0.113.7")).toBe("passed");
});

it("compares the first bits of IPv4 addresses, however they are written", async () => {
  const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(
      octets,
      octets,
      fc.nat(32),
      fc.boolean(),
      async (base, source, bits, isMapped) => {
        const number = (parts: number[]) =>
          parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n);
        const shift = BigInt(32 - bits);
        const expected = number(base) >> shift === number(source) >> shift ? "passed" : REFUSED;
        const written = isMapped ? `::ffff:${source.join(".")}` : source.join(".");
        expect(await judged([`${base.join(".")}/${bits}`], written)).toBe(expected);
      },
    ),
  );
});
