import { describe, expect, it } from "vitest";
import { trigger } from "../../support/worker/client.ts";
import { emits, newReader } from "../../support/worker/runs.ts";

/** What does harm where it is not escaped, in text and in attributes. */
const HARM = `"'><script>alert(1)</script><img src=x onerror=alert(2)></textarea></pre></title>`;

/** Tags and attributes that no page of ours has, unless a run brought them. */
const BROUGHT =
  /<script>|<img src=x|<svg onload|onerror=(?!alert\(2\)(?:&gt;|%3E|…))|href="(?!\/|#|https?:)/;

const asks = (question: string) => ({ calls: [{ tool: "ask_user", input: { question } }] });

const DONE = { finish: { summary: "All done." } };

function expectText(page: string): void {
  expect(page).toContain("&lt;script&gt;alert(1)");
  expect(page).not.toMatch(BROUGHT);
}

describe("what an execution brings", () => {
  it("comes out as text in its outputs, summary and data", async () => {
    const { started, read } = await newReader();
    const outputs = [
      { label: HARM, type: "text", value: HARM },
      { label: "x", type: "json", value: { [HARM]: [HARM] } },
      { label: "x", type: "table", value: { columns: [HARM], rows: [[HARM], [{ a: HARM }]] } },
      { label: "x", type: "link", url: `https://a.example/?q=${HARM}` },
      { label: "x", type: "file", value: "x", filename: HARM, mediaType: "text/csv" },
    ];
    const finish = { summary: HARM, data: { [HARM]: HARM } };
    const id = await started([emits(...outputs), { finish }]);
    for (const path of [`/${id}`, `/${id}?tab=timeline`, ""]) expectText(await read(path));
  });

  it("comes out as text in its failure, its question and its call that waits for a yes", async () => {
    const { started, read } = await newReader();
    const input = { method: "POST", url: "https://a.example/", body: { [HARM]: HARM } };
    const ids = [
      await started([{ error: { status: 400, message: HARM } }], {}, "failed"),
      await started([asks(HARM)], { interactive: true }, "waiting_for_input"),
      await started(
        [{ calls: [{ tool: "http_request", input }] }],
        { approvals: ["http_request"] },
        "waiting_for_input",
      ),
    ];
    for (const id of ids) expectText(await read(`/${id}`));
  });
});

it("what a caller gives comes out as text", async () => {
  const { apiKey, started, session, read } = await newReader();
  const id = await trigger(apiKey, {
    prompt: HARM,
    inputs: { [HARM]: HARM },
    metadata: { [HARM.slice(0, 60)]: HARM },
    outputSchema: { type: "object", description: HARM },
  });
  for (const path of [`/${id}`, "", `/new?from=${id}`]) expectText(await read(path));
  const asking = await started([asks("Which?")], { interactive: true }, "waiting_for_input");
  await session.post(`/dashboard/executions/${asking}/message`, { message: HARM });
  await session.post(`/dashboard/executions/${asking}/stop`, { reason: HARM });
  expectText(await read(`/${asking}`));
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
