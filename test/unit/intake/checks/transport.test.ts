import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Check } from "../../../../src/intake/checks/check.ts";
import {
  contentType,
  endpoint,
  https,
  ip,
  method,
  size,
} from "../../../../src/intake/checks/transport.ts";
import { gzipBody, plainBody, type ReceivedBody } from "../../../../src/intake/payload/body.ts";
import type { Endpoint } from "../../../../src/intake/types.ts";
import { configWith } from "../../../support/endpoint.ts";
import { authWith, endpointWith, requestWith } from "../../../support/hook-request.ts";
import { rulesOf, verdictOf } from "./support.ts";

/** A body that was not read to its end. */
const tooLarge: ReceivedBody = { kind: "too_large", limit: 4, beginning: null };

it.each([
  [{}, "passed"],
  [{ enabled: false }, "not_found: enabled"],
  [{ deleted: true, enabled: false }, "gone: deleted"],
])("the endpoint with %j: %s", async (config, verdict) => {
  expect(await rulesOf(endpoint, endpointWith(config), requestWith())).toBe(verdict);
});

describe("HTTPS", () => {
  it.each([
    ["https://hooks.example/hooks/a", "passed"],
    ["http://hooks.example/hooks/a", "https_required: https"],
    ["http://localhost:8787/hooks/a", "passed"],
    ["http://service.localhost/hooks/a", "passed"],
    ["http://127.0.0.1:8787/hooks/a", "passed"],
    ["http://[::1]:8787/hooks/a", "passed"],
    ["http://localhost.example.com/hooks/a", "https_required: https"],
    ["http://127.0.0.1.example.com/hooks/a", "https_required: https"],
    ["http://10.0.0.1/hooks/a", "https_required: https"],
    ["http://[::ffff:127.0.0.1]/hooks/a", "https_required: https"],
  ])("%s: %s", async (url, verdict) => {
    expect(await rulesOf(https, endpointWith(), requestWith({ url }))).toBe(verdict);
  });

  it.each([
    ["TLSv1.3", "1.3", "passed"],
    ["TLSv1.2", "1.3", "https_required: tls_version"],
    ["TLSv1.2", "1.2", "passed"],
    ["TLSv1.1", "1.2", "https_required: tls_version"],
    ["TLSv1", "1.1", "https_required: tls_version"],
    ["TLSv2.0", "1.3", "passed"],
    ["SSLv3", "1.0", "https_required: tls_version"],
    ["1.3 or so", "1.0", "https_required: tls_version"],
    [null, "1.3", "passed"],
  ])("over %s where %s is the least: %s", async (tlsVersion, least, verdict) => {
    const request = requestWith({ tlsVersion });
    expect(await rulesOf(https, endpointWith(), request, {}, { minTlsVersion: least })).toBe(
      verdict,
    );
  });
});

describe("the method", () => {
  it.each([
    ["POST", ["POST"], "passed"],
    ["GET", ["POST"], "method_not_allowed: methods"],
    ["GET", ["POST", "GET"], "passed"],
    ["post", ["POST"], "method_not_allowed: methods"],
    ["OPTIONS", ["POST"], "method_not_allowed: methods"],
  ] as const)("%s where %j are taken: %s", async (sent, methods, verdict) => {
    const at = endpointWith({ methods: [...methods] });
    expect(await rulesOf(method, at, requestWith({ method: sent }))).toBe(verdict);
  });

  it("lists the allowed methods", async () => {
    const at = endpointWith({ methods: ["POST", "GET"] });
    const verdict = await verdictOf(method, at, requestWith({ method: "PUT" }));
    expect(verdict).toMatchObject({
      errors: [{ message: "PUT is not allowed. Allowed methods: POST, GET." }],
      headers: { Allow: "POST, GET" },
    });
  });
});

describe("a refusal has the reason", () => {
  const open = endpointWith();
  const list = endpointWith({ auth: authWith({ ipAllowlist: ["203.0.113.7"] }) });
  const long = "X".repeat(100);
  const cut = "X".repeat(20);
  const IMAGE = { "Content-Type": "image/png" };
  const { maxBytes } = configWith().validation;
  const beyond = plainBody(new Uint8Array(maxBytes + 1));

  it.each<[message: string, Check, Endpoint, Parameters<typeof requestWith>[0]]>([
    ["The endpoint is deleted.", endpoint, endpointWith({ deleted: true }), {}],
    ["The endpoint is disabled.", endpoint, endpointWith({ enabled: false }), {}],
    ["The request used plain HTTP.", https, open, { url: "http://hooks.example/" }],
    [`The request used ${cut}; TLS 1.3 or later is required.`, https, open, { tlsVersion: long }],
    [`${cut} is not allowed. Allowed methods: POST.`, method, open, { method: long }],
    ["The source IP address is unknown.", ip, list, { sourceIp: null }],
    ["The source IP address is invalid.", ip, list, { sourceIp: "here" }],
    ["203.0.113.8 is not on the IP allowlist", ip, list, { sourceIp: "::ffff:203.0.113.8" }],
    ["The body exceeds 4 bytes.", size, open, { body: tooLarge }],
    [`The body exceeds ${maxBytes} bytes.`, size, open, { body: beyond }],
    ["must be JSON, a form or text, in UTF-8.", contentType, open, { headers: IMAGE }],
  ])("%s", async (message, check, at, changes) => {
    const verdict = await verdictOf(check, at, requestWith(changes));
    const errors = [{ message: expect.stringContaining(message) }];
    expect(verdict).toMatchObject({ kind: "refused", errors });
  });
});

it.each([
  ["The endpoint has no IP allowlist.", ip, {}],
  ["The payload of a GET is its query.", contentType, { method: "GET" }],
])("a check that does not apply has a note: %s", async (note, check, changes) => {
  const verdict = await verdictOf(check, endpointWith(), requestWith(changes));
  expect(verdict).toEqual({ kind: "skipped", note });
});

describe("the size", () => {
  const limited = endpointWith({ validation: { ...configWith().validation, maxBytes: 4 } });
  const bytes = (length: number) => new Uint8Array(length);
  const TOO_LARGE = "payload_too_large: max_bytes";

  it.each([
    ["at the limit", plainBody(bytes(4)), "passed"],
    ["over the limit on the wire", gzipBody(bytes(5), 4), TOO_LARGE],
    ["not read to its end", tooLarge, TOO_LARGE],
    ["of another encoding", { kind: "unsupported", detail: "", beginning: bytes(4) }, "passed"],
  ] as const)("of a body %s: %s", async (_, body, verdict) => {
    expect(await rulesOf(size, limited, requestWith({ body }))).toBe(verdict);
  });
});

describe("the IP allowlist", () => {
  const REFUSED = "ip_not_allowed: ip_allowlist";

  function judged(ipAllowlist: string[], sourceIp: string | null, headers = {}) {
    const at = endpointWith({ auth: authWith({ ipAllowlist }) });
    return rulesOf(ip, at, requestWith({ sourceIp, headers }));
  }

  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["203.0.113.99/24", "203.0.113.0"],
    ["0.0.0.0/0", "::ffff:8.8.8.8"],
    ["203.0.113.7", "::FFFF:cb00:7107"],
    ["203.0.113.7", "0:0:0:0:0:ffff:cb00:7107"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.0/120", "203.0.113.200"],
    ["::ffff:0.0.0.0/96", "1.2.3.4"],
    ["2001:0DB8:0000::0001", "2001:db8:0:0:0:0:0:1"],
    ["2001:db8::/32", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2001:db8::1/128", "2001:db8::1"],
    ["2001:db8::/127", "2001:db8::1"],
    ["::/0", "2001:db8::1"],
    ["::1", "0:0::1"],
  ])("with %s admits %s", async (entry, source) => {
    expect(await judged([entry], source)).toBe("passed");
    expect(await judged(["198.51.100.1", "nothing", entry], source)).toBe("passed");
  });

  it.each([
    ["203.0.113.7", "203.0.113.8"],
    ["2001:db8::/32", "2001:db9::"],
    ["2001:db8::1/128", "2001:db8::"],
    ["2001:db8::/127", "2001:db8::2"],
    ["0.0.0.0/0", "2001:db8::1"],
    ["::/0", "203.0.113.7"],
    ["::/0", "::ffff:203.0.113.7"],
    ["::ffff:203.0.113.0/120", "203.0.114.0"],
    ["::ffff:203.0.113.0/64", "203.0.113.7"],
    // IPv4-compatible, not mapped: another address.
    ["203.0.113.7", "::203.0.113.7"],
  ])("with %s rejects %s", async (entry, source) => {
    expect(await judged([entry], source)).toBe(REFUSED);
  });

  it.each([
    ...[null, "", "localhost", "203.0.113", "203.0.113.07", "0313.0.113.7", "0xcb.0.113.7"],
    ...["3405803783", "203.0.113.7:443", "203.0.113.7, 203.0.113.7", "203.0.113.7/32"],
    ...["[2001:db8::1]", "fe80::1%eth0", "2001:db8::1::1", "::ffff:999.0.113.7"],
  ])("rejects the caller %j, which is not an address", async (source) => {
    expect(await judged(["0.0.0.0/0", "::/0"], source)).toBe(REFUSED);
  });

  it.each([
    ...["203.0.113.7/33", "203.0.113.7/-1", "203.0.113.7/", "203.0.113.7/032"],
    ...["203.0.113.7/24/24", "203.0.113.7/255.255.255.0", "2001:db8::/129", "203.0.113", ""],
  ])("admits nobody with an invalid entry: %j", async (entry) => {
    expect(await judged([entry], "203.0.113.7")).toBe(REFUSED);
  });

  it("admits nobody if it is empty, and ignores a claimed address", async () => {
    expect(await judged([], "203.0.113.7")).toBe(REFUSED);
    const claims = ["X-Forwarded-For", "X-Real-IP", "True-Client-IP"].map((name) => [
      name,
      "203.0.113.7",
    ]);
    const headers = { ...Object.fromEntries(claims), Forwarded: "for=203.0.113.7" };
    expect(await judged(["203.0.113.7"], "198.51.100.1", headers)).toBe(REFUSED);
    expect(await judged(["203.0.113.7"], null, headers)).toBe(REFUSED);
  });

  it("compares the prefix of IPv4 addresses in any notation", async () => {
    const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
    const asked = [octets, octets, fc.nat(32), fc.boolean()] as const;
    await fc.assert(
      fc.asyncProperty(...asked, async (base, source, bits, isMapped) => {
        const number = (parts: number[]) =>
          parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n);
        const shift = BigInt(32 - bits);
        const expected = number(base) >> shift === number(source) >> shift ? "passed" : REFUSED;
        const written = isMapped ? `::ffff:${source.join(".")}` : source.join(".");
        expect(await judged([`${base.join(".")}/${bits}`], written)).toBe(expected);
      }),
    );
  });
});

describe("the content type", () => {
  const judged = (type: string, body: ReceivedBody | string = "x", method = "POST") =>
    rulesOf(
      contentType,
      endpointWith(),
      requestWith({ method, headers: { "Content-Type": type }, body }),
    );

  it.each([
    ["application/json", "passed"],
    ["application/x-www-form-urlencoded", "passed"],
    ["text/plain", "passed"],
    ["image/png", "unsupported_media_type: content_type"],
    ["application/json; charset=utf-16", "unsupported_media_type: content_type"],
  ])("%s: %s", async (type, verdict) => {
    expect(await judged(type)).toBe(verdict);
  });

  it("may be any other if the endpoint accepts files", async () => {
    const validation = { required: [], types: {}, schema: null, maxBytes: 10, files: true };
    const request = requestWith({ headers: { "Content-Type": "image/png" }, body: "x" });
    expect(await rulesOf(contentType, endpointWith({ validation }), request)).toBe("passed");
  });

  it("does not matter without a body", async () => {
    expect(await judged("image/png", "")).toBe("passed");
    expect(await judged("image/png", "", "GET")).toBe("skipped");
  });

  it("is refused beside an unsupported encoding", async () => {
    const body: ReceivedBody = { kind: "unsupported", detail: "br", beginning: new Uint8Array() };
    expect(await judged("application/json", body)).toBe("unsupported_media_type: content_encoding");
  });
});
