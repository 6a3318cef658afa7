import { describe, expect, it } from "vitest";
import { runAgainst } from "../../support/cli/terminal.ts";
import { answer } from "../../support/scripted-service.ts";

const ID = `ep_${"0".repeat(40)}`;

async function cli(argv: string[], ...replies: unknown[]) {
  const acts = replies.map((reply) => answer(reply));
  const shown = await runAgainst(acts, argv, { input: '{"retentionDays": 7}' });
  const sent = shown.asked.at(-1);
  return { ...shown, sent: sent && { ...sent, body: sent.body && JSON.parse(sent.body) } };
}

const tested = {
  accepted: true,
  httpStatus: 202,
  requestId: "req_1",
  executionId: "exe_1",
  checks: [],
  diagnosis: [],
  warnings: [],
};

it("endpoints lists endpoints, and finds one by its name, path or URL only", async () => {
  const url = "https://a.example/hooks/x";
  const endpoint = { endpointId: ID, name: "orders", path: "x", enabled: true, url };
  const page = { endpoints: [{ ...endpoint, workflowId: "wf_1" }], nextCursor: null };
  const { stdout } = await cli(["endpoints"], page);
  expect(stdout).toContain(`${ID}  orders  active  ${url}`);
  expect((await cli(["endpoints", "delete", "orders", "--yes"], page, null)).exit).toBe(0);
  expect((await cli(["endpoints", "delete", "shop", "--yes"], page, null)).exit).toBe(2);
});

it.each([
  ["holding", {}],
  ["active", { routing: { routes: [] } }],
  ["active", { withoutWorkflow: "log" }],
  ["disabled", { enabled: false }],
])("endpoints shows %s for an endpoint without a workflow that has %j", async (state, settings) => {
  const starts = { workflowId: null, routing: null, withoutWorkflow: "hold" };
  const endpoint = { endpointId: ID, name: "orders", url: "https://a.example/hooks/x" };
  const endpoints = [{ ...endpoint, enabled: true, ...starts, ...settings }];
  const { stdout } = await cli(["endpoints"], { endpoints, nextCursor: null });
  expect(stdout).toContain(`orders  ${state.padEnd(8)}`.trimEnd());
});

it("endpoints create names the workflow by its id, and prints the new secrets", async () => {
  const page = { workflows: [{ workflowId: "wf_1", name: "Sum up" }], nextCursor: null };
  const made = { endpointId: ID, url: "https://a.example/hooks/x", secrets: { hmac: "whsec_1" } };
  const options = ["--workflow", "Sum up", "--preset", "github"];
  const { stdout, sent } = await cli(["endpoints", "create", "orders", ...options], page, made);
  expect(stdout).toBe(`endpoint  ${ID}\nurl  https://a.example/hooks/x\nhmac secret  whsec_1\n`);
  const auth = { hmac: { preset: "github" } };
  expect(sent?.body).toEqual({ name: "orders", workflowId: "wf_1", auth });
});

it("endpoints update changes only the named settings", async () => {
  const saved = { endpointId: ID, url: "https://a.example/hooks/x" };
  const argv = ["endpoints", "update", ID, "--name", "orders", "--disable", "--data", "-"];
  const { stdout, sent } = await cli(argv, saved);
  expect(sent).toMatchObject({ method: "PATCH", path: `/api/v1/webhooks/${ID}` });
  expect(sent?.body).toEqual({ name: "orders", enabled: false, retentionDays: 7 });
  expect(stdout).toBe(`endpoint  ${ID}\nurl  https://a.example/hooks/x\n`);
});

it('endpoints delete asks, and deletes only after "y"', async () => {
  const asked = await cli(["endpoints", "delete", ID]);
  expect(asked).toMatchObject({ exit: 2, sent: undefined });
  expect((await cli(["endpoints", "delete", ID, "--yes"], null)).sent?.method).toBe("DELETE");
});

it("endpoints test exits 3 for a rejected request, and shows why", async () => {
  const errors = [{ path: "order.id", rule: "required", message: "is required" }];
  const checks = [{ stage: "validation", verdict: "refused", errors }];
  const refused = { ...tested, accepted: false, httpStatus: 422, requestId: null, checks };
  const argv = ["endpoints", "test", ID, "--payload", "-", "--header", "X-Env=prod", "--sign"];
  const { exit, stdout, sent } = await cli(argv, { ...refused, executionId: null });
  expect(exit).toBe(3);
  expect(stdout).toBe("422 rejected\nvalidation: order.id is required\n");
  const payload = { retentionDays: 7 };
  expect(sent?.body).toEqual({ payload, headers: { "X-Env": "prod" }, sign: true, send: false });
});

describe("send", () => {
  const sender = (preset: string, place: object, sample: object) => ({
    preset,
    name: preset,
    eventType: [place],
    sample: { headers: {}, form: false, ...sample },
  });
  const presets = [
    sender("stripe", { in: "body", path: "type" }, { body: { id: "evt_{{id}}", type: "a.b" } }),
    sender("github", { in: "header", path: "X-GitHub-Event" }, { body: { at: "{{now}}" } }),
    sender("twilio", { in: "body", path: "Kind" }, { body: { Body: "Hi & bye" }, form: true }),
  ];

  it("sends the sample of a sender under a fresh id, as the named event", async () => {
    const argv = ["send", "stripe", "invoice.paid", "--to", ID];
    const { exit, stdout, sent } = await cli(argv, { presets }, tested);
    expect(exit).toBe(0);
    expect(stdout).toBe("202 accepted  req_1  → exe_1\n");
    expect(sent?.path).toBe(`/api/v1/webhooks/${ID}/test`);
    expect(sent?.body).toMatchObject({ sign: true, send: true, payload: { type: "invoice.paid" } });
    expect(sent?.body.payload.id).toMatch(/^evt_test-[0-9a-f]{8}$/);
  });

  it("names the event in the sender's header", async () => {
    const argv = ["send", "github", "push", "--to", ID, "--dry-run"];
    const { sent } = await cli(argv, { presets }, { ...tested, requestId: null });
    expect(sent?.body).toMatchObject({ headers: { "X-GitHub-Event": "push" }, send: false });
    expect(sent?.body.payload.at).toMatch(/^\d{10}$/);
  });

  it("sends a form like the sender", async () => {
    const { sent } = await cli(["send", "twilio", "--to", ID], { presets }, tested);
    expect(sent?.body.body).toBe("Body=Hi+%26+bye");
    expect(sent?.body.headers["Content-Type"]).toBe("application/x-www-form-urlencoded");
  });

  it("suggests the nearest sender, and asks for the endpoint", async () => {
    const { exit, stderr } = await cli(["send", "strype", "--to", ID], { presets });
    expect(exit).toBe(2);
    expect(stderr).toContain("Unknown sender `strype`. Did you mean `stripe`?");
    expect((await cli(["send", "stripe"])).stderr).toContain("send needs --to <endpoint>.");
  });
});
