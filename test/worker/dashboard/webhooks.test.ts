import { describe, expect, it } from "vitest";
import { mcpServerRecord } from "../../../src/contract/mcp.ts";
import { endpointRecord } from "../../../src/contract/webhooks/endpoint.ts";
import { newAccount, newKey, send } from "../../support/worker/client.ts";
import { signedIn } from "../../support/worker/dashboard.ts";
import { leadsTo, newEndpointRoom } from "../../support/worker/endpoint-room.ts";
import { formOn, textOf } from "../../support/worker/forms.ts";
import { newWorkflow, WEBHOOKS } from "../../support/worker/webhooks.ts";

const ROOT = "/dashboard/webhooks";

describe("the list of endpoints", () => {
  it("shows the address, the workflow and the held requests of each", async () => {
    const nobody = await signedIn((await newAccount()).apiKey);
    expect(await nobody.read(ROOT)).toContain("No endpoints yet");
    const { endpoint, me } = await newEndpointRoom({ enabled: false });
    const token = endpoint.apiKey;
    const workflowId = await newWorkflow(token, []);
    const body = { name: "with work", workflowId, auth: { hmac: { preset: "stripe" } } };
    await send(WEBHOOKS, { method: "POST", token, body });
    const html = await me.read(ROOT);
    expect(html).toContain(`/hooks/${endpoint.endpointId}`);
    expect(html).toContain("No workflow (requests are held)");
    expect(html).toContain("disabled");
    expect(html).toContain("Stripe");
    expect(html).toMatch(new RegExp(`href="/dashboard/workflows/${workflowId}"[^>]*>look<`));
  });
});

describe("an endpoint's page", () => {
  it("shows the state of its source's subscription", async () => {
    const { endpoint, me } = await newEndpointRoom();
    const token = endpoint.apiKey;
    const server = { name: "orders", url: "https://mcp.example/mcp" };
    const added = await send("/api/v1/mcp-servers", { method: "POST", token, body: server });
    const { serverId } = mcpServerRecord.parse(await added.json());
    const source = { mcpServerId: serverId, event: "orders.created" };
    const body = { name: "orders", enabled: false, source };
    const made = await send(WEBHOOKS, { method: "POST", token, body });
    const { endpointId } = endpointRecord.parse(await made.json());
    const html = await me.read(`${ROOT}/${endpointId}`);
    expect(html).toContain("orders.created (ended: The endpoint is disabled.)");
  });

  it("shows its authentication, and only the ends of its secrets", async () => {
    const { page } = await newEndpointRoom({
      auth: {
        hmac: { preset: "github", secret: "the secret of thehub" },
        token: { secret: "the token of thehub" },
        headers: [{ name: "X-Env", value: "the value of theenv" }, { name: "X-Any" }],
        ipAllowlist: ["203.0.113.0/24"],
      },
      eventId: { in: "header", path: "X-Event" },
      onDuplicate: "run",
    });
    for (const rest of ["", "/try", "/rules", "/settings"]) {
      const html = await page(rest);
      for (const secret of ["secret of thehub", "token of thehub", "value of theenv"]) {
        expect(html).not.toContain(secret);
      }
    }
    const html = await page();
    for (const shown of ["ehub", "eenv", "203.0.113.0/24", "X-Event", "run"]) {
      expect(html).toContain(`&quot;${shown}&quot;`);
    }
  });

  it("shows a command that sends a request with valid credentials", async () => {
    const auth = { hmac: { preset: "github" }, token: {}, headers: [{ name: "X-Env" }] };
    const { endpoint, page } = await newEndpointRoom({ auth }, [{ name: "note", required: true }]);
    const command = textOf(await page(), "curl") ?? "";
    const [, path = "", body = ""] = /^curl \S+?(\/api\/\S+) .* -d '(.*)'$/s.exec(command) ?? [];
    const sent = await send(path, {
      method: "POST",
      token: endpoint.apiKey,
      body: JSON.parse(body),
    });
    expect(await sent.json()).toMatchObject({ accepted: true, mappedInputs: { note: "sample" } });
    const open = await newEndpointRoom();
    expect(textOf(await open.page(), "curl")).toContain(`/hooks/${open.endpoint.endpointId} -H`);
    // Only the sender can sign.
    const keyed = { signature: { preset: "aws-sns", audience: "arn:aws:sns:eu-west-1:1:orders" } };
    expect(textOf(await (await newEndpointRoom({ auth: keyed })).page(), "curl")).toBeNull();
  });

  it("is disabled and enabled", async () => {
    const { page, at, me, record } = await newEndpointRoom();
    const off = formOn(await page(), "/enabled");
    expect(leadsTo(await me.post(off.action, { enabled: "false" }))).toBe(at);
    expect((await record()).enabled).toBe(false);
    const html = await page();
    expect(html).toContain("Enable endpoint");
    expect(html).toContain("This endpoint is disabled.");
    const on = formOn(html, "/enabled");
    await me.post(on.action, { enabled: "true" });
    expect((await record()).enabled).toBe(true);
  });

  it("shows which held requests a workflow can start before it is attached, and releases the others later", async () => {
    const { endpoint, page, at, me, record } = await newEndpointRoom();
    const requestId = await endpoint.take({ number: 7 });
    const other = await endpoint.take({ orderId: 8 });
    expect(await page()).toContain("2 held requests. Attach a workflow to start them");
    const inputs = [{ name: "orderId", type: "integer" as const, required: true }];
    const workflowId = await newWorkflow(endpoint.apiKey, inputs);
    const asked = await (await me.post(`${at}/workflow`, { workflowId })).text();
    expect(asked).toContain("1 of 2 held requests can be mapped.");
    expect(asked).toContain("Mapping: orderId");
    expect((await record()).workflowId).toBeNull();
    const { action, fields } = formOn(asked, "/workflow");
    expect(leadsTo(await me.post(action, fields))).toBe(`${at}?done=workflow`);
    expect(await page("?done=workflow")).toContain("Workflow attached.");
    await expect.poll(async () => (await endpoint.entry(other)).executionId).not.toBeNull();
    await expect.poll(async () => (await endpoint.entry(requestId)).errors.length).toBe(1);
    const shown = await page(`/requests/${requestId}`);
    expect(shown).toContain("It could not be mapped when it was released.");
    expect(shown).toContain("then release held requests.");
    await endpoint.change({ mapping: { fields: [{ to: "orderId", from: "number" }] } });
    const overview = await page();
    expect(overview).toContain("Those that can be mapped start");
    const release = formOn(overview, "/release");
    expect(leadsTo(await me.post(release.action, release.fields))).toBe(`${at}?done=released`);
    await expect.poll(async () => (await endpoint.entry(requestId)).executionId).not.toBeNull();
    expect(leadsTo(await me.post(action))).toBe(`${at}?done=detached`);
    expect((await record()).workflowId).toBeNull();
  });

  it("deletes it, after which its URL answers 410", async () => {
    const { endpoint, page, at, me } = await newEndpointRoom();
    expect(await page("/settings")).toContain(`${at}/delete"`);
    const html = await page("/delete");
    expect(html).toContain("returns 410 from then on");
    expect(leadsTo(await me.post(formOn(html, "/delete").action))).toBe(ROOT);
    expect((await endpoint.hook({ id: 1 })).status).toBe(410);
  });
});

describe("a reader without access", () => {
  const PAGES = ["", "/live", "/try", "/rules", "/settings"];
  const ACTS = [
    "/enabled",
    "/workflow",
    "/release",
    "/try",
    "/rules",
    "/settings",
    "/secret",
    "/delete",
  ];

  it("does not find another account's endpoint or an unknown one", async () => {
    const { at, record } = await newEndpointRoom();
    const before = await record();
    const other = await signedIn((await newAccount()).apiKey);
    for (const path of [at, `${ROOT}/ep_${"0".repeat(40)}`, `${ROOT}/nonsense`]) {
      for (const rest of PAGES) expect((await other.get(path + rest)).status, rest).toBe(404);
      for (const rest of ACTS) {
        const form = { enabled: "false", overlapSeconds: "0", name: "x", do: "save", sign: "on" };
        const response = await other.post(path + rest, form);
        expect(response.status, rest).toBe(404);
      }
    }
    expect(await record()).toEqual(before);
  });

  it("with a read-only key changes nothing", async () => {
    const { endpoint, at, record, me } = await newEndpointRoom();
    const key = await newKey(endpoint.apiKey, { name: "few", scopes: ["webhooks:read"] });
    const reader = await signedIn(key.apiKey);
    // It may not read executions: an entry is shown without its own.
    const entry = `/requests/${await endpoint.take({})}`;
    // A button or a form that the key may not send is not shown.
    const acts = /\/(?:enabled|workflow|release|send-test|settings|delete|replay)"|value="save"/;
    for (const rest of ["", "/requests", entry, "/try", "/rules"]) {
      expect(await reader.read(at + rest)).not.toMatch(acts);
    }
    for (const rest of ["", entry]) expect(await me.read(at + rest)).toMatch(acts);
    const refused = await reader.post(`${at}/enabled`, { enabled: "false" });
    expect(refused.status).toBe(403);
    expect((await record()).enabled).toBe(true);
  });
});

describe("an endpoint with routes", () => {
  it("shows its routes, its cases, and the matched routes of a request", async () => {
    const { endpoint, me, page } = await newEndpointRoom();
    const workflowId = await newWorkflow(endpoint.apiKey, []);
    expect(await page("/cases")).toContain("No cases yet");
    const when = { path: "action", equals: "opened" };
    const route = { name: "opened", workflowId, when, key: { path: "repo" } };
    const other = { name: "other", workflowId, when: { path: "release", exists: true } };
    await endpoint.change({ routing: { routes: [route, other] } });
    const requestId = await endpoint.take({ action: "opened", repo: "shop", type: "issue" });
    const overview = await page();
    expect(overview).toContain("release exists");
    const list = await page("/cases");
    const path = /href="([^"]+\/case\?[^"]+)"/.exec(list)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const shown = await me.read(path);
    expect(shown).toContain(`/requests/${requestId}`);
    const request = await page(`/requests/${requestId}`);
    expect(request).toContain("not matched");
    expect(await page(`/cases?key=none`)).toContain("No matching cases");
    expect((await me.get(path.replace("route=", "route=x"))).status).toBe(404);
  });
});
