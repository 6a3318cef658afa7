import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AddressPolicy, checkAddress, isPublicIp } from "../../../src/outbound/address.ts";

const deployed: AddressPolicy = {
  allowLoopback: false,
  ownHosts: ["agents.example.org"],
  schemes: ["http", "https"],
};
const callbacks: AddressPolicy = { ...deployed, schemes: ["https"] };
const development: AddressPolicy = {
  allowLoopback: true,
  ownHosts: ["localhost:8787"],
  schemes: ["https"],
};

const allowed = (url: string, policy: AddressPolicy) => checkAddress(url, policy).ok;

describe("allows", () => {
  it.each([
    "https://example.com/",
    "http://example.com/",
    "https://example.com:8443/a?b=c#d",
    "https://example.com./",
    "https://bücher.example/",
    "https://under_score.example.com/",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/",
    "https://localhost.example.com/",
    "https://local.example.com/",
    "https://172.32.0.1/",
    "https://100.128.0.1/",
  ])("%s", (url) => {
    expect(checkAddress(url, deployed)).toMatchObject({ ok: true });
  });
});

describe("refuses", () => {
  const refused: [group: string, urls: string[]][] = [
    ["what is no address", ["", "example.com", "/path", "http://", "https://exa mple.com/"]],
    [
      "other schemes",
      ["ftp://example.com/", "file:///etc/passwd", "javascript:alert(1)", "data:,x", "ws://a.com/"],
    ],
    [
      "a user name or password",
      ["http://user:pass@example.com/", "http://user@example.com/", "http://:pass@example.com/"],
    ],
    [
      "ports that are not the web's",
      ["http://example.com:22/", "https://example.com:8787/", "http://8.8.8.8:53/"],
    ],
    [
      "loopback in any spelling",
      [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://127.255.255.254/",
        "http://%31%32%37.0.0.1/",
        "http://127。0。0。1/",
        "http://①②⑦.0.0.1/",
        "http://[::1]/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://foo.localhost/",
        "http://loc\talhost/",
        "http:\\\\127.0.0.1\\",
      ],
    ],
    ["the unspecified address", ["http://0.0.0.0/", "http://0.1.2.3/", "http://[::]/"]],
    [
      "private IPv4",
      ["http://10.0.0.1/", "http://172.16.0.1/", "http://172.31.255.255/", "http://192.168.1.1/"],
    ],
    ["carrier-grade NAT", ["http://100.64.0.1/", "http://100.127.255.255/"]],
    ["link-local", ["http://169.254.1.1/", "http://[fe80::1]/", "http://[febf::1]/"]],
    [
      "metadata services",
      [
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:169.254.169.254]/",
        "http://[fd00:ec2::254]/",
        "http://100.100.100.200/",
        "http://192.0.0.192/",
        "http://168.63.129.16/",
        "http://metadata.google.internal/",
        "http://metadata.goog/",
        "http://METADATA/",
      ],
    ],
    [
      "reserved IPv4: documentation, benchmarks, multicast, broadcast",
      [
        "http://192.0.2.1/",
        "http://198.51.100.1/",
        "http://203.0.113.1/",
        "http://198.18.0.1/",
        "http://192.88.99.1/",
        "http://224.0.0.1/",
        "http://240.0.0.1/",
        "http://255.255.255.255/",
      ],
    ],
    [
      "IPv6 forms that carry an IPv4 address",
      [
        "http://[::ffff:8.8.8.8]/",
        "http://[::ffff:0:7f00:1]/",
        "http://[::8.8.8.8]/",
        "http://[64:ff9b::8.8.8.8]/",
        "http://[2002:808:808::1]/",
        "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
      ],
    ],
    [
      "reserved IPv6: local, multicast, discard, documentation",
      [
        "http://[fc00::1]/",
        "http://[fd12:3456::1]/",
        "http://[fec0::1]/",
        "http://[ff02::1]/",
        "http://[100::1]/",
        "http://[2001:db8::1]/",
        "http://[3fff::1]/",
        "http://[2001:2::1]/",
        "http://[5f00::1]/",
        "http://[4000::1]/",
      ],
    ],
    [
      "names of private networks",
      [
        "http://intranet/",
        "http://printer.local/",
        "http://nas.lan/",
        "http://router.home.arpa/",
        "http://db.corp/",
        "http://api.default.svc/",
        "http://ip-10-0-0-1.ec2.internal/",
      ],
    ],
    [
      "public names made to reach private addresses",
      ["http://127.0.0.1.nip.io/", "http://10-0-0-1.sslip.io/", "http://localtest.me/"],
    ],
    [
      "broken names",
      ["http://example..com/", "http://example.com../", "http://-a.example.com/", "http://a*.com/"],
    ],
    [
      "the service itself",
      [
        "https://agents.example.org/",
        "https://AGENTS.example.org./hooks/x",
        "https://agents.example.org:8443/",
        "http://agents.example.org/",
      ],
    ],
  ];

  for (const [group, urls] of refused) {
    describe(group, () => {
      it.each(urls)("%s", (url) => {
        expect(checkAddress(url, deployed)).toEqual({
          ok: false,
          reason: expect.stringMatching(/\.$/),
        });
      });
    });
  }

  it("plain http to a public host where only https is allowed", () => {
    expect(allowed("https://example.com/", callbacks)).toBe(true);
    expect(checkAddress("http://example.com/", callbacks)).toEqual({
      ok: false,
      reason: "Only https addresses are allowed for this host.",
    });
  });
});

describe("where loopback is allowed", () => {
  it.each([
    "http://127.0.0.1:3000/",
    "http://localhost:3000/",
    "https://localhost:3000/",
    "http://shop.localhost:3000/",
    "http://[::1]:22/",
  ])("reaches %s, by http too", (url) => {
    expect(checkAddress(url, development)).toMatchObject({ ok: true, kind: "loopback" });
  });

  it.each([
    "http://localhost:8787/",
    "http://127.0.0.1:8787/",
    "http://127.0.0.2:8787/",
    "http://[::1]:8787/",
    "http://foo.localhost:8787/",
    "https://localhost.:8787/",
    "http://0.0.0.0:8787/",
    "http://[::ffff:127.0.0.1]:8787/",
  ])("does not reach the service itself as %s", (url) => {
    expect(allowed(url, development)).toBe(false);
  });

  it.each([
    "http://0.0.0.0:3000/",
    "http://[::]:3000/",
    "http://[::ffff:127.0.0.1]:3000/",
    "http://192.168.1.1:3000/",
    "http://169.254.169.254/",
    "http://nas.local:3000/",
  ])("still refuses %s", (url) => {
    expect(allowed(url, development)).toBe(false);
  });

  it("assumes the standard ports for a service without one", () => {
    const policy: AddressPolicy = { ...development, ownHosts: ["localhost"] };
    expect(allowed("http://127.0.0.1/", policy)).toBe(false);
    expect(allowed("https://127.0.0.1/", policy)).toBe(false);
    expect(allowed("http://127.0.0.1:3000/", policy)).toBe(true);
  });
});

describe("for any input", () => {
  it("never throws, and what it allows is canonical", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webAuthority().map((host) => `http://${host}`),
        ),
        (text) => {
          const check = checkAddress(text, deployed);
          if (check.ok) expect(checkAddress(check.url.href, deployed).ok).toBe(true);
        },
      ),
    );
  });

  it("decides the same for every spelling of one IPv4 address", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), (value) => {
        const octets = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
        const dotted = octets.join(".");
        const octal = octets.map((octet) => `0${octet.toString(8)}`).join(".");
        const spellings = [dotted, octal, String(value), `0x${value.toString(16)}`, `${dotted}.`];
        const verdicts = spellings.map((host) => allowed(`http://${host}/`, deployed));
        expect(new Set(verdicts)).toEqual(new Set([isPublicIp(dotted)]));
      }),
    );
  });

  it("refuses every IPv6 address outside of global unicast", () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const [first = 0] = groups;
        const host = groups.map((part) => part.toString(16)).join(":");
        if (first >>> 13 !== 1) expect(allowed(`http://[${host}]/`, deployed)).toBe(false);
      }),
    );
  });
});
