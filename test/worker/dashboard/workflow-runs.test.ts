import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { type createWorkflowBody, workflowRecord } from "../../../src/contract/workflow.ts";
import { callsOf, send, textIn, untilStatus } from "../../support/worker/client.ts";
import { newBrowser } from "../../support/worker/dashboard.ts";
import { leadsTo } from "../../support/worker/endpoint-room.ts";
import { formOn, textOf } from "../../support/worker/forms.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const API = "/api/v1/workflows";
const ROOT = "/dashboard/workflows";

const { apiKey, me, page } = await newBrowser();

type Inputs = z.input<typeof createWorkflowBody>["inputs"];

async function make(inputs: Inputs, settings: object = {}) {
  const body = { name: "look", prompt: "Look at it.", inputs, ...settings };
  const response = await send(API, { method: "POST", token: apiKey, body });
  return workflowRecord.parse(await response.json());
}

/** Runs a workflow to its end; returns the execution's id. */
async function ran(workflowId: string): Promise<string> {
  const id = await textIn(
    await callsOf(apiKey).post(`${API}/${workflowId}/run`, {}),
    "executionId",
  );
  await untilStatus(apiKey, id, "completed");
  return id;
}

describe("an execution", () => {
  const inputs = [
    { name: "page", required: true },
    { name: "count", type: "integer" as const },
    { name: "ratio", type: "number" as const, default: 0.5 },
    { name: "express", type: "boolean" as const },
    { name: "at", type: "timestamp" as const },
    { name: "lines", type: "array" as const },
    { name: "order", type: "object" as const },
  ];

  it("starts with typed inputs and files, and links its execution", async () => {
    const { workflowId } = await make(inputs);
    const { action, fields } = formOn(await page(`${ROOT}/${workflowId}`), "/run");
    const typed = new FormData();
    for (const [name, value] of Object.entries({
      ...fields,
      "inputs.page": "1007",
      "inputs.count": "7",
      "inputs.express": "false",
      "inputs.at": "2026-01-31T09:30",
      "inputs.lines": "[1, 2]",
    })) {
      typed.set(name, value);
    }
    typed.append("files", new File(["name,price"], "prices.csv"));
    const first = leadsTo(await me.post(action, typed));
    expect(first).toMatch(/^\/dashboard\/executions\/[0-9a-f-]{36}$/);
    // The same form twice, as an impatient finger sends it, is one run.
    expect(leadsTo(await me.post(action, typed))).toBe(first);
    const task = await send(`/api/v1/agent/trigger/${first.split("/").at(-1)}/task`, {
      token: apiKey,
    });
    expect(await task.json()).toMatchObject({
      inputs: {
        page: "1007",
        count: 7,
        ratio: 0.5,
        express: false,
        at: "2026-01-31T09:30:00.000Z",
        lines: [1, 2],
      },
      files: [{ name: "prices.csv", mediaType: "text/csv", sizeBytes: 10 }],
    });
    expect(await page(`${ROOT}/${workflowId}`)).toContain(first);
  });

  it("shows errors at its controls, and keeps the input", async () => {
    const { workflowId } = await make(inputs);
    const typed = { "inputs.count": "7.5", "inputs.lines": "{}", "inputs.at": "2026-01-31T09:30" };
    const response = await me.post(`${ROOT}/${workflowId}/run`, typed);
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(textOf(html, "inputs.page-error")).toBe("Is required.");
    expect(textOf(html, "inputs.count-error")).toContain("Must be a whole number");
    expect(textOf(html, "inputs.lines-error")).toContain("Must be an array");
    expect(formOn(html, "/run").fields).toMatchObject(typed);
    const unread = await me.post(`${ROOT}/${workflowId}/run`, { "inputs.order": "{" });
    expect(textOf(await unread.text(), "inputs.order-error")).toMatch(/^This is not JSON/);
  });
});

describe("the executions of workflows", () => {
  it("are distinguished by workflow and time", async () => {
    const { workflowId } = await make([]);
    const { action, fields } = formOn(await page(`${ROOT}/${workflowId}`), "/run");
    const run = leadsTo(await me.post(action, fields));
    const link = `href="${run}">`;
    expect(await page(`${ROOT}/${workflowId}`)).toContain(`${link}Look at it.`);
    for (const list of ["/dashboard", "/dashboard/executions"]) {
      expect(await page(list)).toContain(`${link}look: Look at it.<`);
    }
    expect(await page(run)).toContain("<h1>look</h1>");
    await send(`${API}/${workflowId}`, { method: "DELETE", token: apiKey });
    expect(await page("/dashboard/executions")).toContain(`${link}Look at it.<`);
    expect(await page(run)).toMatch(/<h1>Look at it\.<.*>workflow</s);
  });
});

it("a reader's score of a result is stored, and the workflow's page shows the average", async () => {
  const { workflowId } = await make([], { model: "openai/finishes" });
  const at = `/dashboard/executions/${await ran(workflowId)}`;
  expect(await page(at)).toContain(`action="${at}/score"`);
  const score = { comment: " Right. ", helpful: "yes" };
  const scored = await me.post(`${at}/score`, score);
  expect(leadsTo(scored)).toBe(`${at}?tab=result#scores`);
  expect(await page(at)).toMatch(/>helpful<.*>Yes<.*>Right\.</);
  const workflow = await page(`${ROOT}/${workflowId}`);
  expect(workflow).toMatch(/>helpful<.*>1<.*openai\/finishes.*>1\.00<.*>1</);
});

it("a draft is rehearsed on past inputs, with its changes shown and nothing saved", async () => {
  const site = mailbox();
  const orders = (amount: number) =>
    promptOf(
      {
        calls: [
          { tool: "http_request", input: { method: "POST", url: site.url, body: { amount } } },
        ],
      },
      { finish: { summary: `Ordered ${amount}.` } },
    );
  const { workflowId } = await make([], { prompt: orders(5), model: "openai/scripted" });
  const executionId = await ran(workflowId);
  const letters = await site.letters(1);

  const { action, fields } = formOn(await page(`${ROOT}/${workflowId}/edit`), "/edit");
  const typed = { ...fields, prompt: orders(7), do: "rehearse" };
  const path = leadsTo(await me.post(action, typed));
  expect(path).toMatch(/^\/dashboard\/rehearsals\/[0-9a-f-]{36}$/);
  const shown = () => page(path);
  await expect.poll(shown).toContain('<span class="badge good">completed');
  const found = await shown();
  expect(found).toContain("http_request is called otherwise");
  expect(found).toContain("<del>5</del> <ins>7</ins>");
  expect(found).toContain(`/dashboard/executions/${executionId}/compare?with=`);
  expect(await site.letters(1)).toEqual(letters);
  const kept = await send(`${API}/${workflowId}`, { token: apiKey });
  expect(await kept.json()).toMatchObject({ prompt: orders(5), revision: 1 });
});
