import { describe, expect, it } from "vitest";
import { endpoint, https, method, size } from "../../../../src/inbound/checks/transport.ts";
import { gzipBody, plainBody } from "../../../../src/inbound/payload/body.ts";
import { configWith } from "../../../support/endpoint.ts";
import { endpointWith, requestWith } from "../../../support/hook-request.ts";
import { rulesOf, verdictOf } from "./support.ts";

describe("the endpoint", () => {
  it.each([
    [{}, "passed"],
    [{ enabled: false }, "not_found: enabled"],
    [{ deleted: true }, "gone: deleted"],
    [{ deleted: true, enabled: false }, "gone: deleted"],
  ])("with %j: %s", async (config, verdict) => {
    expect(await rulesOf(endpoint, endpointWith(config), requestWith())).toBe(verdict);
  });
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
    ["TLSv1", "1.0", "passed"],
    ["TLSv1", "1.1", "https_required: tls_version"],
    ["TLSv2.0", "1.3", "passed"],
    ["SSLv3", "1.0", "https_required: tls_version"],
    ["1.3 or so", "1.0", "https_required: tls_version"],
    [null, "1.3", "passed"],
  ])("over %s where %s is the least: %s", async (tlsVersion, least, verdict) => {
    const request = requestWith({ tlsVersion });
    expect(await rulesOf(https, endpointWith(), request, {}, least)).toBe(verdict);
  });
});

describe("the method", () => {
  it.each([
    ["POST", ["POST"], "passed"],
    ["GET", ["POST"], "method_not_allowed: methods"],
    ["GET", ["POST", "GET"], "passed"],
    ["HEAD", ["GET"], "method_not_allowed: methods"],
    ["post", ["POST"], "method_not_allowed: methods"],
    ["OPTIONS", ["POST"], "method_not_allowed: methods"],
  ] as const)("%s where %j are taken: %s", async (sent, methods, verdict) => {
    const at = endpointWith({ methods: [...methods] });
    expect(await rulesOf(method, at, requestWith({ method: sent }))).toBe(verdict);
  });

  it("names those that are taken", async () => {
    const at = endpointWith({ methods: ["POST", "GET"] });
    const verdict = await verdictOf(method, at, requestWith({ method: "PUT" }));
    expect(verdict).toMatchObject({ headers: { Allow: "POST, GET" } });
  });
});

describe("the size", () => {
  const limited = endpointWith({ validation: { ...configWith().validation, maxBytes: 4 } });
  const bytes = (length: number) => new Uint8Array(length);

  it.each([
    ["at the limit", plainBody(bytes(4)), "passed"],
    ["over the limit on the wire", gzipBody(bytes(5), 4), "refused"],
    ["not read to its end", { kind: "too_large", limit: 4, beginning: bytes(4) }, "refused"],
    ["of another encoding", { kind: "unsupported", detail: "", beginning: bytes(4) }, "passed"],
  ] as const)("of a body %s: %s", async (_, body, kind) => {
    expect(await verdictOf(size, limited, requestWith({ body }))).toMatchObject({ kind });
  });
});
