import { describe, expect, it } from "vitest";
import { DONE, emits, newReader } from "../../support/worker/runs.ts";

/** What does harm where it is not escaped, in text and in attributes. */
const HARM = `"'><script>alert(1)</script><img src=x onerror=alert(2)></textarea></pre></title>`;

/** Tags and attributes that no page of ours has, unless a run brought them. */
const BROUGHT =
  /<script>|<img src=x|<svg onload|onerror=(?!alert\(2\)(?:&gt;|%3E|…))|href="(?!\/|#|https?:)/;

function expectText(page: string): void {
  expect(page).toContain("&lt;script&gt;alert(1)");
  expect(page).not.toMatch(BROUGHT);
}

describe("foreign text of an execution", () => {
  it("is escaped in outputs, summary and data", async () => {
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
});

describe("a reader's input", () => {
  it("is escaped in each refused form", async () => {
    const { started, session } = await newReader();
    const id = await started([DONE]);
    const said = await session.post(`/dashboard/executions/${id}/message`, { message: HARM });
    expect(said.status).toBeGreaterThanOrEqual(400);
    expectText(await said.text());
    const fields = ["prompt", "inputs", "model", "maxCredits", "tools", "callbackUrl", "metadata"];
    const values = Object.fromEntries(fields.map((name) => [name, HARM]));
    expectText(await (await session.post("/dashboard/executions/new", values)).text());
  });
});
