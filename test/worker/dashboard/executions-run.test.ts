import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/contract/json.ts";
import { endpointRecord } from "../../../src/contract/webhooks/endpoint.ts";
import { send } from "../../support/worker/client.ts";
import { signedIn } from "../../support/worker/dashboard.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { DONE, emits, newReader, type Reader } from "../../support/worker/runs.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

describe("the page of a running execution", () => {
  it("shows its progress and outputs, follows it, and can steer it", async () => {
    const { start, read } = await newReader();
    const gate = mailbox();
    await gate.answer("hold");
    const id = await start([
      emits({ label: "Note", type: "text", value: "  as far\n  as this" }),
      { gate: gate.name },
    ]);
    await gate.letters(1);
    expect(await read(`/${id}?tab=result`)).toContain("  as far\n  as this</pre>");
    const page = await read(`/${id}`);
    expect(page).toMatch(/role="status"><span class="badge busy">(?:<svg.*?<\/svg>)?active</);
    expect(page).toMatch(/data-live="[^"]*\/live\?seen=\d+"/);
    expect(page).toContain("<noscript>");
    expect(page).toContain(`action="/dashboard/executions/${id}/message"`);
    expect(page).toContain(`action="/dashboard/executions/${id}/stop"`);
    expect(page).not.toContain("Run again");
    expect(page).not.toContain(`action="/dashboard/executions/${id}/redeliver"`);
  });
});

describe("the page of an execution that has ended", () => {
  it("shows its result, its data and its cost, and follows nothing", async () => {
    const { started, read } = await newReader();
    const usage = { inputTokens: 1234, outputTokens: 56, cachedTokens: 7 };
    const finish = { summary: "Line one.\n  Line two.", data: { total: 42 } };
    const id = await started([{ finish, usage }]);
    const page = await read(`/${id}`);
    expect(page).toContain("Line one.\n  Line two.</div>");
    expect(page).toMatch(/>total<\/dt><dd><code class="json number">42</);
    expect(page).toContain("1,234 in (7 cached), 56 out");
    expect(page).not.toContain("data-live");
    expect(page).not.toContain("/message");
    expect(page).toContain(`href="/dashboard/executions/new?from=${id}"`);
  });

  it("shows similar objects as a table, only once if the summary has them too", async () => {
    const { started, read } = await newReader();
    const summary = "Found these:\n\n| tea | price |\n| --- | --- |\n| Fog Bell | 5 |\n\nNo more.";
    const data = [{ tea: "Fog Bell", price: 5 }];
    const page = await read(`/${await started([{ finish: { summary, data } }])}`);
    expect(page.match(/<td>Fog Bell<\/td><td class="num">5<\/td>/g)).toHaveLength(1);
    expect(page).toMatch(/Found these:\s+No more\.<\/div>/);
    const alone = await read(`/${await started([{ finish: { summary } }])}`);
    expect(alone).toContain("| Fog Bell | 5 |");
  });

  it("shows why it failed", async () => {
    const { started, read } = await newReader();
    const id = await started([{ error: { status: 400, message: "no such thing" } }], {}, "failed");
    const page = await read(`/${id}`);
    expect(page).toMatch(/role="alert">.*no such thing.*<code>model_error</s);
  });

  it("shows its effects, and uncertain ones", async () => {
    const { start, session, read } = await newReader();
    const [done, hangs] = [mailbox(), mailbox()];
    await hangs.answer("hold");
    const post = (url: string) => ({
      calls: [{ tool: "http_request", input: { method: "POST", url } }],
    });
    const id = await start([post(done.url), post(hangs.url)]);
    await hangs.letters(1);
    expect(await read(`/${id}?tab=result`)).toContain("In progress, or interrupted.");
    await session.post(`/dashboard/executions/${id}/stop`);
    const page = await read(`/${id}?tab=result`);
    expect(page).toMatch(
      /badge good">(?:<svg.*?<\/svg>)?confirmed<[\s\S]*badge attention">(?:<svg.*?<\/svg>)?uncertain</,
    );
    expect(page).toContain("It may have happened: check the target. It is not repeated.");
  });

  it("shows a long table and a long text in part, with a link to the whole", async () => {
    const { started, read } = await newReader();
    const long = { label: "Long", type: "text", value: `${"t".repeat(20_000)}unseen` };
    const rows = Array.from({ length: 150 }, (_, at) => [`row ${at}`, at]);
    const table = { label: "Rows", type: "table", value: { columns: ["name", "at"], rows } };
    const id = await started([emits(table, long), DONE]);
    const page = await read(`/${id}`);
    expect(page).toContain("The first 20,000 of 20,006 characters.");
    expect(page).toContain(`${"t".repeat(20_000)}…</pre>`);
    expect(page).toContain("row 29<");
    expect(page).not.toContain("row 30<");
    expect(page).toContain("The first 30 of 150 rows.");
    expect(page).toContain(`/dashboard/executions/${id}/outputs/out_1?as=csv`);
  });

  it("shows the beginning of long JSON without folding", async () => {
    const { started, read } = await newReader();
    const data = Array.from({ length: 6_000 }, () => [1]);
    const page = await read(`/${await started([{ finish: { summary: "Done.", data } }])}`);
    expect(page).toContain("\n  [\n    1\n  ],\n");
    expect(page).not.toContain("6000 items");
    expect(page).toMatch(/href="\/dashboard\/executions\/[^"]*\/result">View all</);
  });

  it("links its values to their log entries and source addresses", async () => {
    const { started, read } = await newReader();
    const site = mailbox();
    await site.answer({ headers: { "content-type": "text/plain" }, body: "Ten." });
    const id = await started([
      { calls: [{ tool: "http_request", input: { method: "GET", url: site.url }, id: "look" }] },
      emits({ label: "Answer", type: "text", from: "look" }),
      DONE,
    ]);
    const page = await read(`/${id}`);
    expect(page).toMatch(
      new RegExp(`From <a [^>]*>${site.url.replace("http://", "")}, step 1</a>`),
    );
    const seq = /\?tab=timeline&amp;event=(\d+)#event-\1"/.exec(page)?.[1];
    const timeline = await read(`/${id}?tab=timeline&event=${seq}`);
    expect(timeline).toMatch(new RegExp(`id="event-${seq}".*<details open`, "s"));
    expect(timeline).toMatch(new RegExp(`<dt>method</dt><dd>GET<.*>${site.url}</a>`));
  });
});

describe("an e-mail", () => {
  const asks = ({ started }: Reader, tool: string, input: JsonObject) =>
    started([{ calls: [{ tool, input }] }, DONE], { approvals: [tool] }, "waiting_for_input");

  it("is shown as its recipient sees it", async () => {
    const reader = await newReader();
    const mail = { to: ["ann@a.example", "bob@b.example"], subject: "Hello", text: "Dear\n  all" };
    const page = await reader.read(`/${await asks(reader, "send_email", mail)}`);
    expect(page).toContain("<dt>To</dt><dd>ann@a.example, bob@b.example</dd>");
    expect(page).toContain("<dt>Subject</dt><dd><strong>Hello</strong></dd>");
    expect(page).toContain("Dear\n  all</pre>");
  });

  it("with HTML is a sandboxed frame without scripts", async () => {
    const reader = await newReader();
    const body = { to: "ann@a.example", subject: "Hello", html: '<b title="x">Dear</b>' };
    const input = { method: "POST", url: "https://mail.example/send", body };
    const page = await reader.read(`/${await asks(reader, "http_request", input)}`);
    expect(page).toMatch(/<iframe [^>]*sandbox="" srcdoc="&lt;b title=&quot;x&quot;&gt;Dear/);
  });
});

describe("the origin of an execution", () => {
  it("links its request and its workflow, which runs again with its inputs", async () => {
    const inputs = [{ name: "id", type: "string" as const, required: true }];
    const endpoint = await newEndpoint({}, inputs);
    const requestId = await endpoint.take({ id: "evt_1" });
    await expect.poll(async () => (await endpoint.entry(requestId)).executionId).not.toBeNull();
    const { executionId } = await endpoint.entry(requestId);
    const session = await signedIn(endpoint.apiKey);
    const read = (path: string) => session.read(path);
    const page = await read(`/dashboard/executions/${executionId}`);
    const { endpointId, workflowId } = endpoint;
    expect(page).toContain(`/dashboard/webhooks/${endpointId}/requests/${requestId}`);
    expect(page).toContain(`/dashboard/workflows/${workflowId}`);
    expect(page).toContain("<dt>id</dt><dd>evt_1</dd>");
    const stop = `/api/v1/agent/trigger/${executionId}/stop`;
    await send(stop, { method: "POST", token: endpoint.apiKey });
    const again = `/dashboard/workflows/${workflowId}?from=${executionId}`;
    expect(await read(`/dashboard/executions/${executionId}`)).toContain(`href="${again}"`);
    expect(await read(again)).toContain(">evt_1</textarea>");
  });

  it("includes its metadata and its permissions", async () => {
    const { started, read } = await newReader();
    const changes = { metadata: { order: "1007" }, approvals: ["send_email"], maxCredits: 9 };
    const page = await read(`/${await started([DONE], changes)}`);
    expect(page).toContain("<span>order: 1007</span>");
    expect(page).toContain("of at most 9");
    expect(page).toMatch(/<dt>maxSteps<\/dt><dd><code[^>]*>30</);
    expect(page).toMatch(/<dt>approvals<\/dt><dd>.*send_email/);
  });
});

it("the timeline shows a wait for an event with its condition", async () => {
  const { started, read, apiKey } = await newReader();
  const when = { path: "build", equals: "green" };
  const created = await send("/api/v1/webhooks", {
    method: "POST",
    token: apiKey,
    body: { name: "builds" },
  });
  const { endpointId } = endpointRecord.parse(await created.json());
  const wait = { endpointId, when, timeoutSeconds: 60 };
  const calls = [{ tool: "wait_for_event", input: wait }];
  const waiting = await started([{ calls }, DONE], {}, "waiting_for_input");
  const words = `Waiting for an event at ${endpointId} until build is &quot;green&quot;`;
  expect(await read(`/${waiting}`)).toMatch(new RegExp(`${words}.*wf-bar wait`, "s"));
});
