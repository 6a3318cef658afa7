import { describe, expect, it } from "vitest";
import { emits, newReader } from "../../support/worker/runs.ts";

/** What does harm where it is not escaped, in text and in attributes. */
const HARM = `"'><script>alert(1)</script><img src=x onerror=alert(2)></textarea></pre></title>`;

/** Tags and attributes that no page of ours has, unless a run brought them. */
const BROUGHT =
  /<script>|<img src=x|<svg onload|onerror=(?!alert\(2\)(?:&gt;|%3E|…))|href="(?!\/|#|https?:)/;

const DONE = { finish: { summary: "All done." } };

function expectText(page: string): void {
  expect(page).toContain("&lt;script&gt;alert(1)");
  expect(page).not.toMatch(BROUGHT);
}

describe("what an execution brings", () => {
  it.each([
    ["a text", { label: "x", type: "text", value: HARM }],
    ["a label", { label: HARM, type: "text", value: "x" }],
    ["names and values of JSON", { label: "x", type: "json", value: { [HARM]: [HARM] } }],
    [
      "a table",
      { label: HARM, type: "table", value: { columns: [HARM], rows: [[HARM], [{ a: HARM }]] } },
    ],
    ["a link", { label: HARM, type: "link", url: `https://a.example/?q=${HARM}` }],
    ["a file", { label: "x", type: "file", value: "x", filename: HARM, mediaType: "text/csv" }],
  ])("in %s comes out as text", async (_, output) => {
    const { started, read } = await newReader();
    const id = await started([emits(output), DONE]);
    const page = await read(`/${id}`);
    expect(page).not.toMatch(BROUGHT);
    expect(page).toContain("alert(1)");
    expect(await read(`/${id}?tab=timeline`)).not.toMatch(BROUGHT);
  });

  it("in its summary, its data and its words comes out as text", async () => {
    const { started, read } = await newReader();
    const finish = { summary: HARM, data: { [HARM]: HARM } };
    const id = await started([{ finish }]);
    expectText(await read(`/${id}`));
    expectText(await read());
  });

  it("in its failure comes out as text", async () => {
    const { started, read } = await newReader();
    const id = await started([{ error: { status: 400, message: HARM } }], {}, "failed");
    expectText(await read(`/${id}`));
  });

  it("in a question comes out as text", async () => {
    const { started, read } = await newReader();
    const asks = { calls: [{ tool: "ask_user", input: { question: HARM } }] };
    const id = await started([asks], { interactive: true }, "waiting_for_input");
    expectText(await read(`/${id}`));
  });

  it("in a call that waits for a yes comes out as text", async () => {
    const { started, read } = await newReader();
    const input = { method: "POST", url: "https://a.example/", body: { [HARM]: HARM } };
    const pays = { calls: [{ tool: "http_request", input }] };
    const id = await started([pays], { approvals: ["http_request"] }, "waiting_for_input");
    expectText(await read(`/${id}`));
  });
});

describe("what a caller gives", () => {
  it("as prompt, data and notes comes out as text", async () => {
    const { apiKey, read } = await newReader();
    const { trigger } = await import("../../support/worker/client.ts");
    const id = await trigger(apiKey, {
      prompt: HARM,
      inputs: { [HARM]: HARM },
      metadata: { [HARM.slice(0, 60)]: HARM },
      outputSchema: { type: "object", description: HARM },
    });
    expectText(await read(`/${id}`));
    expectText(await read());
    expectText(await read(`/new?from=${id}`));
  });

  it("as message and reason comes out as text", async () => {
    const { started, session, read } = await newReader();
    const asks = { calls: [{ tool: "ask_user", input: { question: "Which?" } }] };
    const id = await started([asks], { interactive: true, tools: ["browse"] }, "waiting_for_input");
    await session.post(`/dashboard/executions/${id}/message`, { message: HARM });
    await session.post(`/dashboard/executions/${id}/stop`, { reason: HARM });
    expectText(await read(`/${id}`));
  });
});

describe("what a reader types", () => {
  it("comes out as text in each form that is not taken", async () => {
    const { started, session } = await newReader();
    const id = await started([DONE]);
    const said = await session.post(`/dashboard/executions/${id}/message`, { message: HARM });
    expect(said.status).toBeGreaterThanOrEqual(400);
    expectText(await said.text());
    const fields = ["prompt", "inputs", "model", "maxCredits", "tools", "callbackUrl", "metadata"];
    const values = Object.fromEntries(fields.map((name) => [name, HARM]));
    expectText(await (await session.post("/dashboard/executions/new", values)).text());
  });

  it("comes out as text in addresses", async () => {
    const { read, session } = await newReader();
    expectText(await read(`/new?prompt=${encodeURIComponent(HARM)}`));
    for (const name of ["status", "origin", "workflowId", "createdAfter", "cursor"]) {
      const path = `/dashboard/executions?${name}=${encodeURIComponent(HARM)}`;
      expect(await (await session.get(path)).text()).not.toMatch(BROUGHT);
    }
  });
});
