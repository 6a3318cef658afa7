import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { send } from "../../support/worker/client.ts";
import { leadsTo, newEndpointRoom } from "../../support/worker/endpoint-room.ts";
import { formOn } from "../../support/worker/forms.ts";

const INPUTS = [
  { name: "id", type: "string" as const, required: true },
  { name: "total", type: "number" as const, default: 5 },
];

describe("an entry that was refused", () => {
  it("shows each error, the sender's status, and where to change it", async () => {
    const { endpoint, entry } = await newEndpointRoom({
      validation: { required: ["order.id"], types: { total: "number" } },
    });
    const response = await endpoint.hook({ total: "x" });
    const page = await entry(response.headers.get("X-Request-Id"));
    expect(page).toContain("<code>order.id</code>");
    expect(page).toContain("<code>total</code>");
    expect(page).toContain("HTTP 422");
    expect(page).toContain(`/dashboard/webhooks/${endpoint.endpointId}/rules`);
    expect(page).not.toContain("data-live");
  });

  it("shows why a signature does not match, and how far the request got", async () => {
    const { endpoint, entry } = await newEndpointRoom({
      auth: { hmac: { preset: "github", secret: "the secret of tests" } },
    });
    const body = '{"id":"evt_1"}';
    const signature = createHmac("sha256", "another secret").update(body).digest("hex");
    const response = await endpoint.hook(body, {
      headers: { "X-Hub-Signature-256": `sha256=${signature}` },
    });
    const page = await entry(response.headers.get("X-Request-Id"));
    expect(page).toContain("HTTP 401");
    const [, diagnosis = ""] = page.split("<h2>Diagnosis</h2>");
    expect(diagnosis).toContain("the sender uses another secret");
    expect(page).toContain(`/${endpoint.endpointId}/settings">Change settings</a>`);
    expect(passed(page)).toEqual([
      "Endpoint",
      "HTTPS",
      "Method",
      "Rate",
      "Sender IP address",
      "Size",
      "Content type",
      "Token and headers",
    ]);
    expect(page).toContain("[redacted]");
    expect(page).not.toContain(signature);
  });

  it("offers the change that fixes its signature, applied by a button", async () => {
    const secret = "the secret of tests";
    const { endpoint, me, entry, log } = await newEndpointRoom({
      auth: { hmac: { preset: "github", secret: `${secret}\n` } },
    });
    const body = '{"id":"evt_1"}';
    const headers = { "X-Acme-Signature": createHmac("sha256", secret).update(body).digest("hex") };
    const refused = await endpoint.hook(body, { headers });
    const requestId = refused.headers.get("X-Request-Id");
    const page = await entry(requestId);
    expect(page).toContain("x-acme-signature&quot;");
    expect(page).toContain("&quot;trim&quot;");
    const { action } = formOn(page, "/fix");
    expect((await me.post(action, {})).headers.get("Location")).toContain("?fixed=1");
    expect((await endpoint.hook(body, { headers })).status).toBe(202);
    const fixed = await me.read(`${log}/${requestId}?fixed=1`);
    expect(fixed).toContain("The fix is applied");
    expect(fixed).toContain("The endpoint has changed since.");
  });
});

describe("an entry that was accepted", () => {
  it("shows that it is held without a workflow, and a duplicate links the first request", async () => {
    const { endpoint, log, entry } = await newEndpointRoom();
    const first = await endpoint.take({ id: "evt_1" });
    const page = await entry(first);
    expect(page).toContain("The endpoint has no workflow.");
    expect(page).toContain("so the replay is held");
    expect(passed(page)).toContain("Validation");
    expect(passed(page)).not.toContain("Mapping");
    const again = await entry(await endpoint.take({ id: "evt_1" }));
    expect(again).toContain(`href="${log}/${first}"`);
    expect(again).toContain("HTTP 200");
    expect(passed(again)).not.toContain("Duplicate");
  });

  it("follows its execution to the end", async () => {
    const { endpoint, me, entry } = await newEndpointRoom({}, INPUTS);
    const requestId = await endpoint.take({ id: "evt_1" });
    await expect.poll(() => entry(requestId)).toMatch(/badge busy">(?:<svg.*?<\/svg>)?running</);
    const page = await entry(requestId);
    const { executionId, mappedInputs } = await endpoint.entry(requestId);
    expect(page).toContain(`/dashboard/executions/${executionId}`);
    expect(mappedInputs).toEqual({ id: "evt_1", total: 5 });
    expect(page).toContain("Workflow inputs");
    const stream = await me.follow(page);
    const stop = `/api/v1/agent/trigger/${executionId}/stop`;
    expect((await send(stop, { method: "POST", token: endpoint.apiKey })).status).toBe(200);
    await stream.next("changed");
    await stream.close();
    await expect.poll(() => entry(requestId)).toMatch(/badge bad">(?:<svg.*?<\/svg>)?failed</);
    expect(await entry(requestId)).not.toContain("data-live");
  });
});

describe("the received body", () => {
  it("is shown by its type, and offered as the payload of a replay: JSON, forms, text, a query", async () => {
    const { endpoint, entry, me } = await newEndpointRoom();
    const json = await entry(await endpoint.take('{"id": 12345678901234567890, "price": 1.10}'));
    expect(json).toContain('<code class="json number">12345678901234567890</code>');
    expect(json).toContain("&quot;price&quot;: 1.10}");
    const form = await endpoint.take("a=1&b=two+words", {
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(await entry(form)).toContain("<dt>b</dt><dd><code");
    expect(await entry(form)).toContain("&quot;two words&quot;");
    const payloadOf = (page: string) => formOn(page, "/replay").fields.payload ?? "";
    expect(JSON.parse(payloadOf(await entry(form)))).toEqual({ a: "1", b: "two words" });
    const text = await endpoint.take("plain words", { headers: { "Content-Type": "text/plain" } });
    expect(await entry(text)).toMatch(/<pre[^>]*>plain words<\/pre>/);
    const get = await endpoint.take(undefined, { method: "GET", query: "?a=1&a=2" });
    expect(await entry(get)).toContain("None</p>");
    expect(await entry(get)).toMatch(/<dt>a<\/dt><dd><details[^>]*><summary>\[ 2 items \]/);
    expect(JSON.parse(payloadOf(await entry(get)))).toEqual({ a: ["1", "2"] });
    const broken = await endpoint.hook('{"id": "evt_1"');
    const unread = await entry(broken.headers.get("X-Request-Id"));
    expect(payloadOf(unread)).toBe('{"id": "evt_1"');
    const { action } = formOn(unread, "/replay");
    leadsTo(await me.post(action, { do: "edited", payload: '{"id": "evt_1"}' }));
  });

  it("notes if it is binary or cut, and then needs another payload to be replayed", async () => {
    const { endpoint, entry, me } = await newEndpointRoom({ validation: { maxBytes: 20_000 } });
    const large = await endpoint.hook({ text: "x".repeat(40_000) });
    const page = await entry(large.headers.get("X-Request-Id"));
    expect(page).toContain("Only the beginning of the body is stored.");
    expect(page).toContain("cannot be replayed unchanged");
    expect(page).not.toContain("Replay unchanged");
    const { action, fields } = formOn(page, "/replay");
    expect(fields.payload).toBe("");
    expect((await me.post(action)).status).toBe(409);
    leadsTo(await me.post(action, { do: "edited", payload: '{"text": "short"}' }));
    const bytes = await endpoint.hook(new Uint8Array([0x89, 0x50, 0, 0xff]));
    expect(await entry(bytes.headers.get("X-Request-Id"))).toContain("Binary bytes are shown as");
  });

  it("is always downloaded as text", async () => {
    const { endpoint, me, log } = await newEndpointRoom();
    const body = "<script>alert(1)</script>";
    const requestId = await endpoint.take(body, { headers: { "Content-Type": "text/html" } });
    const answer = await me.get(`${log}/${requestId}/body`);
    expect(answer.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(answer.headers.get("Content-Disposition")).toMatch(/^attachment;/);
    expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(await answer.text()).toBe(body);
  });
});

/** The checks that a page says were passed. */
function passed(page: string): string[] {
  return /id="passed">([^<]*)/.exec(page)?.[1]?.split(", ") ?? [];
}
