import { describe, expect, it } from "vitest";
import { eventsOf, resultOf } from "../../support/worker/client.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { hiddenIn, newReader } from "../../support/worker/runs.ts";

const DONE = { finish: { summary: "All done." } };

/** A reader in front of a run that is at work until its gate opens. */
async function working(changes: Record<string, unknown> = {}) {
  const reader = await newReader();
  const gate = mailbox();
  await gate.answer("hold");
  const id = await reader.start([{ gate: gate.name, ...DONE }], changes);
  await gate.letters(1);
  const send = (form: string, values: Record<string, string> = {}) =>
    reader.session.post(`/dashboard/executions/${id}/${form}`, values);
  return { ...reader, id, gate, send };
}

describe("a message", () => {
  it("is taken, and leads back to the page", async () => {
    const { apiKey, id, send } = await working();
    const response = await send("message", { message: "Be quick.\r\nPlease.", mode: "next_step" });
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe(`/dashboard/executions/${id}#say`);
    expect(await eventsOf(apiKey, id, "message.queued")).toMatchObject([
      { data: { text: "Be quick.\nPlease.", mode: "next_step" } },
    ]);
  });

  it("may interrupt", async () => {
    const { id, gate, send } = await working();
    await send("message", { message: "Stop that.", mode: "interrupt" });
    await gate.deserted();
    expect(id).toBeDefined();
  });

  it("is taken once, however often its form is sent", async () => {
    const { apiKey, id, send, read } = await working();
    const once = hiddenIn(await read(`/${id}`), "once");
    await Promise.all([1, 2].map(() => send("message", { message: "Be quick.", once })));
    expect(await eventsOf(apiKey, id, "message.queued")).toHaveLength(1);
  });

  it("that is empty is refused at its control", async () => {
    const { send } = await working();
    const response = await send("message", { message: "" });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('id="message-error"');
  });

  it("that comes too late is refused and kept", async () => {
    const { id, send } = await working();
    await send("stop");
    const response = await send("message", { message: "Only the first ten" });
    expect(response.status).toBe(409);
    const page = await response.text();
    expect(page).toContain("Only the first ten</textarea>");
    expect(page).toContain("The execution is stopped.");
    expect(page).toContain(`action="/dashboard/executions/${id}/message"`);
  });
});

describe("stopping", () => {
  it("ends the execution, with the reason", async () => {
    const { apiKey, id, send, read } = await working();
    const response = await send("stop", { reason: "Wrong shop" });
    expect(response.status).toBe(303);
    expect((await resultOf(apiKey, id)).presentedResult.summary).toContain("Wrong shop");
    expect(await read(`/${id}`)).toContain("Wrong shop");
  });

  it("of what has ended leads back to it", async () => {
    const { started, session } = await newReader();
    const id = await started([DONE]);
    expect((await session.post(`/dashboard/executions/${id}/stop`)).status).toBe(303);
  });

  it("with an endless reason is refused", async () => {
    const { send } = await working();
    const response = await send("stop", { reason: "x".repeat(1_001) });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('role="alert"');
  });
});

describe("delivering again", () => {
  it("goes to where it went before", async () => {
    const { started, session } = await newReader();
    const receiver = mailbox();
    const id = await started([DONE], { callbackUrl: receiver.url });
    await receiver.letters(1);
    const answer = await session.post(`/dashboard/executions/${id}/redeliver`);
    expect(answer.headers.get("Location")).toMatch(/\?tab=callbacks$/);
    await receiver.letters(2);
  });

  it("waits for the end", async () => {
    const { send } = await working();
    const response = await send("redeliver", {});
    expect(response.status).toBe(409);
  });

  it("shows attempts that failed, and when the next one is due", async () => {
    const { started, read } = await newReader();
    const receiver = mailbox();
    await receiver.answer(500);
    const id = await started([DONE], { callbackUrl: receiver.url });
    const path = `/${id}?tab=callbacks`;
    await expect
      .poll(() => read(path))
      .toMatch(/badge bad">failed<[\s\S]*?<span class="muted">[^<]*500/);
    const page = await read(path);
    expect(page).toContain('badge busy">pending<');
    expect(page).toContain(`data-live="/dashboard/executions/${id}/live-callbacks?seen=pending-`);
  });
});

describe("a form of another site", () => {
  it("is refused", async () => {
    const { id, session, read } = await working();
    const { exports } = await import("cloudflare:workers");
    const response = await exports.default.fetch(
      `http://localhost/dashboard/executions/${id}/stop`,
      {
        method: "POST",
        headers: { Cookie: session.cookie, Origin: "https://evil.example" },
        body: new URLSearchParams({ reason: "mine" }),
        redirect: "manual",
      },
    );
    expect(response.status).toBe(403);
    expect(await read(`/${id}`)).toContain('badge busy">active<');
  });
});
