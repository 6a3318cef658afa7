import { describe, expect, it } from "vitest";
import { eventsOf, resultOf } from "../../support/worker/client.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { DONE, hiddenIn, newReader } from "../../support/worker/runs.ts";

/** A reader in front of a run that is at work until its gate opens. */
async function working() {
  const reader = await newReader();
  const gate = mailbox();
  await gate.answer("hold");
  const id = await reader.start([{ gate: gate.name, ...DONE }]);
  await gate.letters(1);
  const send = (form: string, values: Record<string, string> = {}) =>
    reader.session.post(`/dashboard/executions/${id}/${form}`, values);
  return { ...reader, id, gate, send };
}

describe("a message", () => {
  it("is accepted once, however often its form is sent, and returns to the page", async () => {
    const { apiKey, id, gate, send, read } = await working();
    const once = hiddenIn(await read(`/${id}`), "once");
    const form = { message: "Stop that.\r\nPlease.", mode: "interrupt", once };
    for (const response of await Promise.all([1, 2].map(() => send("message", form)))) {
      expect(response.status).toBe(303);
      expect(response.headers.get("Location")).toBe(`/dashboard/executions/${id}#say`);
    }
    await gate.deserted();
    expect(await eventsOf(apiKey, id, "message.queued")).toMatchObject([
      { data: { text: "Stop that.\nPlease.", mode: "interrupt" } },
    ]);
  });

  it("that is empty is refused at its control, and a late one is kept", async () => {
    const { id, send } = await working();
    const empty = await send("message", { message: "" });
    expect(empty.status).toBe(400);
    expect(await empty.text()).toContain('id="message-error"');
    await send("stop");
    const late = await send("message", { message: "Only the first ten" });
    expect(late.status).toBe(409);
    const page = await late.text();
    expect(page).toContain("Only the first ten</textarea>");
    expect(page).toContain("The execution is stopped.");
    expect(page).toContain(`action="/dashboard/executions/${id}/message"`);
  });
});

it("the address of a refused form shows the page, which a reload and each update ask for", async () => {
  const { id, send, session } = await working();
  await send("stop", { reason: "x".repeat(1_001) });
  for (const form of ["message", "stop"]) {
    const shown = await session.get(`/dashboard/executions/${id}/${form}`);
    expect([form, shown.status]).toEqual([form, 200]);
    expect(await shown.text()).toContain(`data-live="/dashboard/executions/${id}/live`);
  }
});

describe("stopping", () => {
  it("ends the execution with the reason, and returns to its page", async () => {
    const { apiKey, id, send, read } = await working();
    const endless = await send("stop", { reason: "x".repeat(1_001) });
    expect(endless.status).toBe(400);
    expect(await endless.text()).toContain('role="alert"');
    for (const _ of ["once", "again"]) {
      expect((await send("stop", { reason: "Wrong shop" })).status).toBe(303);
    }
    expect((await resultOf(apiKey, id)).presentedResult.summary).toContain("Wrong shop");
    expect(await read(`/${id}`)).toContain("Wrong shop");
  });
});

describe("redelivery", () => {
  it("reaches the earlier address after the execution has ended", async () => {
    const { send } = await working();
    expect((await send("redeliver")).status).toBe(409);
    const { started, session } = await newReader();
    const receiver = mailbox();
    const id = await started([DONE], { callbackUrl: receiver.url });
    await receiver.letters(1);
    const answer = await session.post(`/dashboard/executions/${id}/redeliver`);
    expect(answer.headers.get("Location")).toMatch(/\?tab=callbacks$/);
    await receiver.letters(2);
  });

  it("shows failed attempts, and updates with new ones", async () => {
    const { started, read, session } = await newReader();
    const receiver = mailbox();
    await receiver.answer(500);
    const id = await started([DONE], { callbackUrl: receiver.url });
    const path = `/${id}?tab=callbacks`;
    await expect
      .poll(() => read(path))
      .toMatch(/badge bad">failed<[\s\S]*?<span class="muted">[^<]*500/);
    const page = await read(path);
    expect(page).toContain('badge busy">pending<');
    const stream = await session.follow(page);
    await receiver.answer(200);
    await session.post(`/dashboard/executions/${id}/redeliver`);
    await stream.next("changed");
    await stream.close();
    await expect.poll(() => read(path)).toMatch(/badge good">(?:<svg.*?<\/svg>)?delivered</);
  });
});
