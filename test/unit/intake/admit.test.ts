import { describe, expect, it } from "vitest";
import type { EndpointConfig } from "../../../src/contract/webhooks/endpoint.ts";
import { gzipBody } from "../../../src/intake/payload/body.ts";
import { presetOf } from "../../../src/intake/signatures/presets.ts";
import { signHeaders } from "../../../src/intake/signatures/verify.ts";
import type { AdmitOptions, Endpoint, InboundRequest } from "../../../src/intake/types.ts";
import { bomb, gzip } from "../../support/bombs.ts";
import { configWith, workflowWith } from "../../support/endpoint.ts";
import {
  authWith,
  endpointWith,
  KEPT,
  NOW,
  requestWith,
  wholeBody,
} from "../../support/hook-request.ts";
import { inputOf } from "../../support/mapping.ts";
import { admit } from "../../support/signed-request.ts";

const TOKEN = "a-token-of-tests";
const SECRET = "a-secret-of-tests";
const SCHEME = presetOf("github").scheme;

const workflow = workflowWith({
  inputs: [inputOf("orderId", "integer", { required: true }), inputOf("total", "number")],
});

/** An endpoint that asks for everything. */
function strictEndpoint(changes: Partial<EndpointConfig> = {}): Endpoint {
  return endpointWith(
    {
      auth: authWith({
        token: { header: null, secret: KEPT },
        hmac: { preset: "github", scheme: SCHEME, secret: KEPT },
        ipAllowlist: ["203.0.113.0/24"],
      }),
      replayProtection: {
        enabled: true,
        toleranceSeconds: 300,
        timestamp: { in: "body", path: "timestamp" },
      },
      validation: { ...configWith().validation, required: ["order.id"], maxBytes: 1_000 },
      mapping: { auto: false, fields: [{ to: "orderId", from: "order.id", transforms: [] }] },
      workflow,
      ...changes,
    },
    { token: { current: TOKEN, previous: null }, hmac: { current: SECRET, previous: null } },
  );
}

const JSON_TYPE = { "Content-Type": "application/json" };
const GOOD = JSON.stringify({ id: "evt_1", timestamp: NOW, order: { id: 7 } });

const OPTIONS: AdmitOptions = { minTlsVersion: "1.3" };

async function signed(text: string): Promise<Record<string, string>> {
  const body = new TextEncoder().encode(text);
  const url = new URL("https://prompthook.example/hooks/orders");
  return await signHeaders(SCHEME, SECRET, { url, body, contentType: null, now: NOW, id: "d-1" });
}

/** A request that passes. */
async function goodRequest(text = GOOD): Promise<InboundRequest> {
  const headers = { ...JSON_TYPE, "X-Webhook-Token": TOKEN, ...(await signed(text)) };
  return requestWith({ headers, body: text });
}

async function refusalOf(endpoint: Endpoint, request: InboundRequest, options = OPTIONS) {
  const { verdict } = await admit(endpoint, request, NOW, options);
  return verdict.kind === "refuse"
    ? `${verdict.refusal.stage}: ${verdict.refusal.code}`
    : verdict.kind;
}

it("a request that passes every check is accepted with its event, its payload and its inputs", async () => {
  const { verdict, checks } = await admit(strictEndpoint(), await goodRequest(), NOW, OPTIONS);
  expect(verdict).toEqual({
    kind: "accept",
    eventId: "evt_1",
    eventIdSource: { rule: "body_and_hash", in: "body", path: "id" },
    eventType: null,
    eventKey: expect.stringMatching(/^evt_1\+[0-9a-f]{32}$/),
    payload: { id: "evt_1", timestamp: NOW, order: { id: 7 } },
    mappedInputs: { orderId: 7 },
    warnings: [],
    routes: null,
  });
  expect(checks.map(({ stage }) => stage)).toEqual([
    ...["endpoint", "https", "method", "ip", "size", "content_type", "auth", "signature"],
    ...["parse", "freshness", "validation", "routing", "mapping"],
  ]);
  const others = checks.filter(({ verdict }) => verdict !== "passed");
  expect(others.map(({ stage }) => stage)).toEqual(["routing"]);
});

describe("the first failing check decides", () => {
  const at = strictEndpoint({ enabled: false });
  const enabled = strictEndpoint();
  /** What is set right at each step, from a request that breaks every rule on. */
  const steps: { stage: string; endpoint: Endpoint; request: () => Promise<InboundRequest> }[] = [];
  let changes: Parameters<typeof requestWith>[0] = {
    url: "http://prompthook.example/hooks/orders",
    method: "PUT",
    sourceIp: "198.51.100.1",
    headers: { "Content-Type": "image/png" },
    body: { kind: "too_large", limit: 1_000, beginning: new Uint8Array() },
  };
  const step = (stage: string, endpoint: Endpoint, fixed: typeof changes) => {
    changes = { ...changes, ...fixed };
    const now = changes;
    steps.push({ stage, endpoint, request: async () => requestWith(now) });
  };
  const STALE = JSON.stringify({ timestamp: 0 });
  const FRESH = JSON.stringify({ timestamp: NOW });
  const NUMBERLESS = JSON.stringify({ timestamp: NOW, order: { id: "seven" } });
  const known = { ...JSON_TYPE, "X-Webhook-Token": TOKEN };

  step("endpoint: not_found", at, {});
  step("https: https_required", enabled, {});
  step("method: method_not_allowed", enabled, { url: "https://prompthook.example/hooks/orders" });
  step("ip: ip_not_allowed", enabled, { method: "POST" });
  step("size: payload_too_large", enabled, { sourceIp: "203.0.113.9" });
  step("content_type: unsupported_media_type", enabled, { body: "{" });
  step("auth: unauthorized", enabled, { headers: JSON_TYPE });
  step("signature: unauthorized", enabled, { headers: known });
  for (const [stage, text] of [
    ["parse: malformed_json", "{"],
    ["freshness: stale_request", STALE],
    ["validation: validation_failed", FRESH],
    ["mapping: mapping_failed", NUMBERLESS],
    ["accept", GOOD],
  ] as const) {
    steps.push({ stage, endpoint: enabled, request: () => goodRequest(text) });
  }

  it.each(steps)("$stage", async ({ stage, endpoint, request }) => {
    expect(await refusalOf(endpoint, await request())).toBe(stage);
  });
});

describe("a refusal", () => {
  it("carries all faults of its check, and no later check runs", async () => {
    const validation = { ...configWith().validation, required: ["a", "b.c"] };
    const at = strictEndpoint({ validation });
    const { verdict, checks } = await admit(at, await goodRequest(), NOW, OPTIONS);
    const errors = ["a", "b.c"].map((path) => ({ stage: "validation", path }));
    expect(verdict).toMatchObject({ kind: "refuse", eventId: "evt_1", refusal: { errors } });
    expect(checks.at(-1)).toMatchObject({ stage: "validation", verdict: "refused" });
  });

  it("of a signature logs what would have matched, and hides it from the sender", async () => {
    const good = await goodRequest();
    const request = { ...good, body: wholeBody(`${GOOD} `) };
    const { verdict } = await admit(strictEndpoint(), request, NOW, OPTIONS);
    expect(verdict).toMatchObject({ kind: "refuse", refusal: { stage: "signature" } });
    expect(verdict.kind === "refuse" && verdict.diagnosis.length).toBeGreaterThan(0);
  });

  it("does not depend on the body before the sender is authenticated", async () => {
    const request = requestWith({ headers: JSON_TYPE, body: '{"id":"evt_1"}' });
    const { verdict } = await admit(strictEndpoint(), request, NOW, OPTIONS);
    expect(verdict).toMatchObject({ refusal: { stage: "auth" }, eventId: null });
  });
});

describe("with all checks requested", () => {
  const all = { ...OPTIONS, all: true };

  it("the first refusal decides, and the others are reported", async () => {
    const request = requestWith({ sourceIp: "198.51.100.1", body: GOOD });
    const { verdict, checks } = await admit(strictEndpoint(), request, NOW, all);
    expect(verdict).toMatchObject({
      kind: "refuse",
      refusal: { stage: "ip" },
      eventId: "evt_1",
      mappedInputs: { orderId: 7 },
    });
    const refused = checks.filter((check) => check.verdict === "refused");
    expect(refused.map(({ stage }) => stage)).toEqual(["ip", "auth", "signature"]);
  });

  it("checks without their input are skipped with the reason", async () => {
    const good = await goodRequest("{");
    const { checks } = await admit(strictEndpoint(), good, NOW, all);
    const skipped = checks.filter((check) => check.verdict === "skipped");
    const later = ["freshness", "validation", "routing", "mapping"];
    expect(skipped.map(({ stage }) => stage)).toEqual(later);
    expect(skipped.every(({ note }) => note !== undefined)).toBe(true);
  });
});

describe("a handshake", () => {
  const request = requestWith({ body: '{"type":"url_verification","challenge":"echo"}' });
  const withToken = endpointWith({ auth: authWith({ token: { header: null, secret: KEPT } }) });
  const listed = endpointWith({ auth: authWith({ ipAllowlist: ["198.51.100.1"] }) });

  it("is answered after the request is verified and before its payload is checked", async () => {
    const at = endpointWith({ validation: { ...configWith().validation, required: ["order"] } });
    const { verdict } = await admit(at, request, NOW, OPTIONS);
    expect(verdict).toMatchObject({ kind: "handshake", answer: { status: 200, body: "echo" } });
  });

  it.each<[string, string, Endpoint, Partial<AdmitOptions>]>([
    ["an unverified sender", "auth: unauthorized", withToken, {}],
    ["a refused sender where all checks are made", "ip: ip_not_allowed", listed, { all: true }],
    ["anybody where signatures are not checked", "accept", endpointWith(), { skip: ["signature"] }],
  ])("is not answered to %s", async (_, refusal, at, options) => {
    expect(await refusalOf(at, request, { ...OPTIONS, ...options })).toBe(refusal);
  });
});

describe("a compressed body", () => {
  const strict = strictEndpoint();
  const gzipOf = (text: string) => gzipBody(gzip(text), 1_000);

  it("is inflated only after the credentials are verified", async () => {
    const request = { ...(await goodRequest()), body: gzipOf(GOOD) };
    const { verdict } = await admit(strict, request, NOW, OPTIONS);
    expect(verdict.kind).toBe("accept");
  });

  it.each([
    ["from another address", { sourceIp: "198.51.100.1" }],
    ["of another method", { method: "PUT" }],
    ["of another type", { headers: new Headers({ "Content-Type": "image/png" }) }],
    ["without the token", { headers: new Headers(JSON_TYPE) }],
    ["without a signature", { headers: new Headers({ ...JSON_TYPE, "X-Webhook-Token": TOKEN }) }],
  ])("is not inflated for a request %s", async (_, changes) => {
    const body = gzipOf(GOOD);
    const request = { ...(await goodRequest()), body, ...changes };
    const { verdict } = await admit(strict, request, NOW, OPTIONS);
    expect(verdict.kind).toBe("refuse");
    expect(body.decoded).toBeNull();
  });

  it.each([
    ["size: payload_too_large, max_bytes", gzipBody(bomb(1), 1_000)],
    ["parse: malformed_json, content_encoding", gzipBody(gzip("{}").slice(0, -1), 1_000)],
  ])("is refused by the check that it fails: %s", async (refusal, body) => {
    const open = endpointWith();
    const { checks, verdict } = await admit(open, requestWith({ body }), NOW, OPTIONS);
    if (verdict.kind !== "refuse") throw new Error(verdict.kind);
    const { stage, code, errors } = verdict.refusal;
    expect(`${stage}: ${code}, ${errors[0]?.rule}`).toBe(refusal);
    const stages = checks.map(({ stage }) => stage);
    expect(new Set(stages).size).toBe(stages.length);
    expect(checks.filter(({ verdict }) => verdict === "refused")).toHaveLength(1);
  });
});
