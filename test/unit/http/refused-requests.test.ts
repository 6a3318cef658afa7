import { expect, it } from "vitest";
import * as z from "zod";
import { createEndpointBody } from "../../../src/contract/webhooks/endpoint.ts";
import { readQuery } from "../../../src/http/params.ts";
import { routes } from "../../../src/http/routes.ts";
import { authFaults } from "../../../src/http/webhooks/auth-faults.ts";
import { violationsOf } from "../../../src/lib/zod-messages.ts";

const record = z.record(z.string(), z.unknown());
const byId = new Map(routes.map((route) => [route.operationId, route]));
const withBody = routes.filter(({ body }) => body.content !== null);

/** Returns where a value breaks its schema. */
function faultsIn(schema: z.ZodType | undefined, value: unknown): string[] {
  const { error } = z.instanceof(z.ZodType).parse(schema).safeParse(value);
  return violationsOf(error?.issues ?? []).map(({ path }) => path);
}

/** Returns where the example of a route's body breaks its schema once these fields are changed. */
function faultsOfBody(operationId: string, change: object): string[] {
  const content = byId.get(operationId)?.body.content;
  return faultsIn(content?.schema, { ...record.parse(content?.example), ...change });
}

const WRONG = [null, true, -1, 1e300, "x".repeat(40_000), [null], { a: {} }];

it.each(withBody.map(({ operationId, body }) => [operationId, body.content?.schema] as const))(
  "%s names the field of its body that has a wrong type or size",
  (operationId, schema) => {
    for (const field of Object.keys(z.instanceof(z.ZodObject).parse(schema).shape)) {
      for (const value of WRONG) {
        const faults = faultsOfBody(operationId, { [field]: value });
        if (faults.length === 0) continue;
        expect(faults).toContainEqual(expect.stringMatching(`^${field}`));
      }
    }
  },
);

const file = { name: "a.pdf", mediaType: "application/pdf", data: "YQ==" };
const headers = Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`X-${n}`, "v"]));

const endpointId = `ep_${"0".repeat(40)}`;
const requestId = "0190f7a0-7c4b-7d2e-8f3a-5b6c7d8e9f00";

/** Changes to the example of a body, and where each is refused. */
const BODIES: Record<string, [change: object, path: string][]> = {
  triggerExecution: [
    [{ files: [{ ...file, data: undefined }] }, "files[0].data"],
    [{ files: [{ ...file, url: "https://example.com/a" }] }, "files[0].data"],
    [{ files: [{ ...file, name: "../a" }] }, "files[0].name"],
    [{ files: [{ ...file, mediaType: "pdf" }] }, "files[0].mediaType"],
  ],
  triggerExecutions: [
    [{ executions: [] }, "executions"],
    [{ executions: Array(101).fill({ prompt: "x" }) }, "executions"],
  ],
  createWorkflow: [
    [{ prompt: " " }, "prompt"],
    [{ inputs: [{ name: "1st" }] }, "inputs[0].name"],
    [{ inputs: [{ name: "a" }, { name: "a" }] }, "inputs"],
    [{ model: "anthropic" }, "model"],
    [{ tools: ["fly"] }, "tools[0]"],
    [{ limits: {} }, "limits"],
    [{ limits: { onExceeded: "hold" } }, "limits"],
    [{ limits: { executionsPerHour: 0 } }, "limits.executionsPerHour"],
    [{ limits: { creditsPerDay: 1.5 } }, "limits.creditsPerDay"],
  ],
  createMcpServer: [
    ...["Crm", "a b", "a__b", "-a", "a".repeat(33), ""].map((name): [object, string] => [
      { name },
      "name",
    ]),
    [{ headers }, "headers"],
    [{ headers: { "X-Long": "v".repeat(4_097) } }, "headers.X-Long"],
  ],
  createModelProvider: [
    [{ name: "Upper" }, "name"],
    [{ name: "builtin" }, "name"],
    [{ apiKey: "two words" }, "apiKey"],
    [{ apiKey: undefined }, "apiKey"],
    [{ models: [{ name: "a", inputPrice: 1 }] }, "models[0].outputPrice"],
  ],
  createConnection: [
    [{ hosts: ["https://crm.example"] }, "hosts[0]"],
    [{ hosts: ["*"] }, "hosts[0]"],
    [{ pathPrefix: "v2" }, "pathPrefix"],
    [{ pathPrefix: "/v2/../" }, "pathPrefix"],
  ],
  createDestination: [[{ events: ["execution.begun"] }, "events[0]"]],
  createEndpoint: [
    ...[
      `ep_${"0".repeat(40)}`,
      `EP_${"A".repeat(40)}`,
      ...["acme/", "a//b", "a/../b", ".git", "a b", "a%2fb", "ä", "", "a".repeat(201)],
    ].map((path): [object, string] => [{ path }, "path"]),
    [{ auth: { token: { header: "X Token" } } }, "auth.token.header"],
    [{ auth: { token: { secret: "" } } }, "auth.token.secret"],
    [{ auth: { hmac: { preset: "nobody" } } }, "auth.hmac.preset"],
    [{ auth: { hmac: { preset: "github", header: "X-Sig" } } }, "auth.hmac.header"],
    [{ auth: { hmac: { nobody: 1 } } }, "auth.hmac.nobody"],
    [{ auth: { ipAllowlist: [] } }, "auth.ipAllowlist"],
    [{ auth: { headers: [{ name: "a:b" }] } }, "auth.headers[0].name"],
    [{ auth: { password: "x" } }, "auth.password"],
  ],
  updateEndpoint: [
    [{ name: null }, "name"],
    [{ methods: [] }, "methods"],
    [{ methods: ["POST", "POST"] }, "methods"],
    [{ methods: ["PUT"] }, "methods[0]"],
    [{ retentionDays: 0 }, "retentionDays"],
    [{ onDuplicate: "drop" }, "onDuplicate"],
    [{ eventId: { in: "header", path: "X Event" } }, "eventId.path"],
    [{ validation: { maxBytes: 10_485_761 } }, "validation.maxBytes"],
    [{ response: { status: 404 } }, "response.status"],
  ],
  createShare: [
    [{ executionId: undefined }, ""],
    [{ endpointId, requestId }, ""],
    [{ executionId: undefined, endpointId }, ""],
    [{ executionId: undefined, requestId }, "endpointId"],
    [{ expiresInSeconds: 2_592_001 }, "expiresInSeconds"],
    [{ expiresInSeconds: 0 }, "expiresInSeconds"],
  ],
  rotateSecret: [
    [{ overlapSeconds: -1 }, "overlapSeconds"],
    [{ overlapSeconds: 2_592_001 }, "overlapSeconds"],
  ],
  testEndpoint: [
    [{ payload: {}, body: "{}" }, "body"],
    [{ payload: {}, method: "GET" }, "method"],
    [{ method: "PUT" }, "method"],
    [{ headers: { "bad name": "x" } }, "headers.bad name"],
    [{ headers: { "X-A": "x\r\nX-B: y" } }, "headers.X-A"],
  ],
  tryWebhookDraft: [
    [{ last: 0 }, "last"],
    [{ last: 201 }, "last"],
    [{ draft: {} }, "draft"],
  ],
};

it.each(Object.entries(BODIES))("%s refuses a body that breaks its rules", (operationId, cases) => {
  for (const [change, path] of cases) {
    expect(faultsOfBody(operationId, change), JSON.stringify(change)).toContain(path);
  }
});

it.each([
  [{ token: { header: "CF-Connecting-IP" } }, "auth.token.header"],
  [{ token: { secret: "not\nsendable" } }, "auth.token.secret"],
  [{ hmac: { template: "{timestamp}" } }, "auth.hmac.template"],
  [{ hmac: { secretEncoding: "hex", secret: "xyz" } }, "auth.hmac.secret"],
  [{ hmac: { preset: "standard-webhooks", secret: "whsec_***" } }, "auth.hmac.secret"],
  [{ ipAllowlist: ["203.0.113.7", "203.0.113.0/33"] }, "auth.ipAllowlist[1]"],
  [{ headers: [{ name: "X-A" }, { name: "x-a" }] }, "auth.headers[1].name"],
  [{ headers: [{ name: "X-A", value: "a\r\nX-B: c" }] }, "auth.headers[0].value"],
  [{ headers: [{ name: "Host", value: "a" }] }, "auth.headers[0].name"],
])("an endpoint cannot authenticate its sender by %j", async (auth, path) => {
  const body = createEndpointBody.parse({ name: "orders", auth });
  expect((await authFaults(body.auth)).map((fault) => fault.path)).toEqual([path]);
});

/** Queries, and the parameter for which each is refused. */
const QUERIES: Record<string, [query: string, path: string][]> = {
  listExecutions: [
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=1e1", "limit"],
    ["limit=10&limit=20", "limit"],
    ["status=done", "status[0]"],
    ["status=active,", "status[1]"],
    ["origin=api&origin=x", "origin[1]"],
    ["createdAfter=yesterday", "createdAfter"],
    ["colour=red", "colour"],
    ["__proto__=x", "__proto__"],
  ],
  getExecutionStatus: [
    ["waitSeconds=5", "sinceVersion"],
    ["sinceVersion=1&waitSeconds=31", "waitSeconds"],
    ["sinceVersion=-1", "sinceVersion"],
  ],
  readExecutionEvents: [
    ["after=x", "after"],
    ["limit=1001", "limit"],
  ],
  getUsage: [
    ["from=yesterday", "from"],
    ["to=2026-01-01", "to"],
    ["bucket=minute", "bucket"],
    ["bucket=hour&bucket=day", "bucket"],
  ],
  listWebhookRequests: [
    ["status=done", "status[0]"],
    ["duplicate=yes", "duplicate"],
    ["receivedAfter=today", "receivedAfter"],
  ],
};

it.each(Object.entries(QUERIES))(
  "%s refuses a query that breaks its rules",
  (operationId, cases) => {
    for (const [query, path] of cases) {
      const read = readQuery(`https://a.example/?${query}`);
      expect(faultsIn(byId.get(operationId)?.query, read), query).toContain(path);
    }
  },
);
