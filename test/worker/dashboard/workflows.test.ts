import { describe, expect, it } from "vitest";
import type * as z from "zod";
import {
  type createWorkflowBody,
  type WorkflowRecord,
  workflowRecord,
} from "../../../src/contract/workflow.ts";
import { newKey, send } from "../../support/worker/client.ts";
import { newBrowser, signedIn } from "../../support/worker/dashboard.ts";
import { leadsTo } from "../../support/worker/endpoint-room.ts";
import { formOn, textOf } from "../../support/worker/forms.ts";

const API = "/api/v1/workflows";
const ROOT = "/dashboard/workflows";

const { apiKey, me, page } = await newBrowser();

async function make(body: Partial<z.input<typeof createWorkflowBody>> = {}) {
  const whole = { name: "look", prompt: "Look at it.", ...body };
  const response = await send(API, { method: "POST", token: apiKey, body: whole });
  return workflowRecord.parse(await response.json());
}

async function read(workflowId: string): Promise<WorkflowRecord> {
  const response = await send(`${API}/${workflowId}`, { token: apiKey });
  return workflowRecord.parse(await response.json());
}

const idIn = (location: string) => location.split("/").at(-1)?.split("?")[0] ?? "";

describe("the form of a workflow", () => {
  const typed = {
    name: "Orders",
    prompt: "Look at {{order}}.\r\nSay {{word}}.",
    "inputs[0].name": "order",
    "inputs[0].type": "object",
    "inputs[0].default": '{"id": 7}',
    "inputs[0].required": "on",
    "inputs[0].description": "the order",
    "inputs[2].name": "word",
    "inputs[2].type": "string",
    "inputs[2].default": "12",
    maxCredits: "20",
    "tools.browse": "on",
    "tools.run_code": "on",
    "approvals.send_email": "on",
    callbackUrl: "https://receiver.example/cb",
    callbackSecret: "a secret of mine",
    outputSchema: '{"type": "object"}',
  };

  it("creates a workflow from all fields, shows them for editing, and is saved unchanged", async () => {
    const workflowId = idIn(leadsTo(await me.post(ROOT, typed)));
    expect(await read(workflowId)).toMatchObject({
      name: "Orders",
      prompt: "Look at {{order}}.\nSay {{word}}.",
      inputs: [
        { name: "order", type: "object", required: true, default: { id: 7 } },
        { name: "word", type: "string", required: false, default: "12" },
      ],
      maxCredits: 20,
      tools: ["browse", "run_code", "emit_output", "finish"],
      approvals: ["send_email"],
      callbackUrl: "https://receiver.example/cb",
      callbackSecret: { set: true, last4: "mine" },
      outputSchema: { type: "object" },
    });
    const tools = ["browse", "mcp__shop", "mcp__shop__find", "emit_output", "finish"];
    const path = `/api/v1/workflows/${workflowId}`;
    await send(path, { method: "PATCH", token: apiKey, body: { tools } });
    const before = await read(workflowId);
    const html = await page(`${ROOT}/${workflowId}/edit`);
    expect(html).not.toContain("a secret of mine");
    const { action, fields } = formOn(html, "/edit");
    expect(leadsTo(await me.post(action, fields))).toBe(`${ROOT}/${workflowId}?saved=1`);
    const { updatedAt: _, ...after } = await read(workflowId);
    const { updatedAt: __, ...same } = before;
    expect(after).toEqual(same);
  });

  it("does not undo what was saved since it was opened, until it is saved again", async () => {
    const { workflowId } = await make();
    const opened = async () => formOn(await page(`${ROOT}/${workflowId}/edit`), "/edit");
    const [{ action, fields }, late] = [await opened(), await opened()];
    await me.post(action, { ...fields, prompt: "Look twice." });
    const refused = await me.post(late.action, { ...late.fields, name: "glance" });
    expect(refused.status).toBe(409);
    expect(await read(workflowId)).toMatchObject({ name: "look", prompt: "Look twice." });
    const again = formOn(await refused.text(), "/edit");
    expect(again.fields).toMatchObject({ name: "glance", prompt: "Look at it." });
    expect((await me.post(again.action, again.fields)).status).toBe(303);
    expect(await read(workflowId)).toMatchObject({ name: "glance", prompt: "Look at it." });
  });

  it("clears emptied fields, and keeps the secret", async () => {
    const workflowId = idIn(leadsTo(await me.post(ROOT, typed)));
    const { action, fields } = formOn(await page(`${ROOT}/${workflowId}/edit`), "/edit");
    const kept = Object.entries(fields).filter(([name]) => !name.startsWith("tools."));
    const cleared = { maxCredits: "", callbackUrl: "", outputSchema: "" };
    await me.post(action, { ...Object.fromEntries(kept), ...cleared });
    const after = await read(workflowId);
    expect(after.approvals).toEqual(["send_email"]);
    expect(after.callbackSecret).toEqual({ set: true, last4: "mine" });
    for (const name of ["tools", "maxCredits", "callbackUrl", "outputSchema"]) {
      expect(after).not.toHaveProperty(name);
    }
  });

  it("keeps the input and shows each error at its control", async () => {
    const response = await me.post(ROOT, {
      ...typed,
      name: "",
      prompt: "Say {{word}}.",
      "inputs[0].default": "{oops",
      "inputs[2].name": "a b",
      maxSteps: "many",
      outputSchema: "[1]",
      callbackUrl: "https://receiver.example/kept",
    });
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(textOf(html, "name-error")).toBe("Is required.");
    expect(textOf(html, "inputs[0].default-error")).toMatch(/^This is not JSON/);
    expect(textOf(html, "inputs[1].name-error")).toContain("Must be a letter or _");
    expect(textOf(html, "maxSteps-error")).toBe("Must be a whole number.");
    expect(textOf(html, "outputSchema-error")).not.toBeNull();
    const { fields } = formOn(html, ROOT);
    expect(fields).toMatchObject({
      "inputs[0].default": "{oops",
      "inputs[1].name": "a b",
      maxSteps: "many",
      callbackUrl: "https://receiver.example/kept",
      "tools.browse": "on",
    });
    // A secret is not written back, so it has to be typed again.
    expect(fields.callbackSecret).toBe("");
    // The service alone knows this.
    const told = await (await me.post(ROOT, { ...typed, prompt: "Use {{nothing}}." })).text();
    expect(textOf(told, "prompt-error")).toContain("Refers to the undeclared input {{nothing}}");
  });
});

describe("a workflow's page", () => {
  it("shows its uses, and deletes it", async () => {
    const { workflowId } = await make();
    const body = { name: "shop hook", workflowId };
    await send("/api/v1/webhooks", { method: "POST", token: apiKey, body });
    expect(await page(`${ROOT}/${workflowId}`)).toContain(`href="${ROOT}/${workflowId}/delete"`);
    const html = await page(`${ROOT}/${workflowId}/delete`);
    expect(html).toContain("The endpoints that use it (shop hook) hold new requests");
    const { action } = formOn(html, "/delete");
    expect(leadsTo(await me.post(action))).toBe(ROOT);
    expect((await me.get(`${ROOT}/${workflowId}`)).status).toBe(404);
  });

  it("is shown to a key that may only read workflows", async () => {
    const { workflowId } = await make();
    const key = await newKey(apiKey, { name: "few", scopes: ["workflows:read"] });
    const reader = await signedIn(key.apiKey);
    const response = await reader.get(`${ROOT}/${workflowId}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("may not read executions");
    expect((await reader.post(`${ROOT}/${workflowId}/delete`)).status).toBe(403);
  });
});

describe("the revisions of a workflow", () => {
  it("are listed with their changes, and restored", async () => {
    const { workflowId } = await make({ prompt: "Look once.", maxCredits: 20 });
    const body = { prompt: "Look twice.", maxCredits: null };
    await send(`${API}/${workflowId}`, { method: "PATCH", token: apiKey, body });
    const list = await page(`${ROOT}/${workflowId}/revisions`);
    for (const shown of ["Revision 1", "created", "Look once.", "Look twice.", "maxCredits"]) {
      expect(list).toContain(shown);
    }
    const { action, fields } = formOn(list, "/restore");
    expect(fields).toEqual({ revision: "1" });
    const restored = leadsTo(await me.post(action, fields));
    expect(await page(restored)).toContain("Earlier revision restored.");
    expect(await read(workflowId)).toMatchObject({
      revision: 3,
      prompt: "Look once.",
      maxCredits: 20,
    });
  });
});

describe("schedules", () => {
  const SCHEDULES = "/dashboard/schedules";
  const blank = { cron: "", timeZone: "", everySeconds: "", at: "" };
  const rules = { overlap: "queue", catchUp: "none" };

  it("are created, paused, run and deleted", async () => {
    const inputs = [{ name: "count", type: "integer" as const, required: true }];
    const { workflowId } = await make({ name: "Scheduled", inputs });
    const create = `${SCHEDULES}/new?workflowId=${workflowId}`;
    const { action, fields } = formOn(await page(create), create);
    const when = { cron: "30 6 * * 1-5", timeZone: "Europe/Berlin" };
    const typed = { ...fields, ...rules, ...when, "inputs.count": "7" };
    expect(leadsTo(await me.post(action, typed))).toBe(SCHEDULES);
    const shown = await page(SCHEDULES);
    expect(shown).toContain("Weekdays at 06:30, Europe/Berlin");
    const id = /sch_[0-9A-Za-z]{20}/.exec(shown)?.[0] ?? "";
    expect((await page(`${SCHEDULES}/${id}`)).match(/<time /g)).toHaveLength(5);
    expect(leadsTo(await me.post(`${SCHEDULES}/${id}/enabled`, { enabled: "false" }))).toBe(
      `${SCHEDULES}/${id}`,
    );
    expect(await page(`${SCHEDULES}/${id}`)).toContain("paused");
    const stored = await (await send("/api/v1/schedules", { token: apiKey })).json();
    expect(stored).toMatchObject({ schedules: [{ workflowId, inputs: { count: 7 } }] });
    const once = { once: crypto.randomUUID() };
    const started = leadsTo(await me.post(`${SCHEDULES}/${id}/run`, once));
    expect(leadsTo(await me.post(`${SCHEDULES}/${id}/run`, once))).toBe(started);
    expect(await page(started)).toContain("Schedule");
    expect(await page(`${SCHEDULES}/${id}/delete`)).toContain("Delete the schedule of Scheduled?");
    expect(leadsTo(await me.post(`${SCHEDULES}/${id}/delete`))).toBe(SCHEDULES);
    expect(await page(SCHEDULES)).toContain("No schedules yet");
  });

  it("are previewed during input: in words, with the next five times", async () => {
    const preview = `${SCHEDULES}/preview?timeZone=Asia%2FTokyo`;
    const shown = await page(`${preview}&cron=0+9+*+*+1`);
    expect(shown).toContain("Mondays at 09:00, Asia/Tokyo");
    expect(shown.match(/datetime="\S+T00:00:00.000Z"/g)).toHaveLength(5);
    expect(await page(`${preview}&cron=at+noon`)).toBe("");
  });

  it.each([
    [{ cron: "0 6 * * *", everySeconds: "60" }, "everySeconds", "Fill in exactly one"],
    [{ everySeconds: "60", "inputs.count": "many" }, "inputs.count", "Must be a number."],
  ])("with %j show the error at its field and keep the input", async (change, field, words) => {
    const inputs = [{ name: "count", type: "integer" as const, required: false }];
    const { workflowId } = await make({ inputs });
    const typed = { ...blank, ...rules, ...change };
    const refused = await me.post(`${SCHEDULES}/new?workflowId=${workflowId}`, typed);
    expect(refused.status).toBe(400);
    const html = await refused.text();
    expect(html).toContain(`id="${field}-error"`);
    expect(html).toContain(words);
  });
});
