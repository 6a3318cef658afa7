import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { openOffice } from "../../support/worker/approvals.ts";
import {
  eventsOf,
  expectProblem,
  faultsOf,
  newAccount,
  resultOf,
} from "../../support/worker/client.ts";
import { dueAtRest, hostOf, mailbox } from "../../support/worker/objects.ts";

const { apiKey, start, say, decide, asked, until, ended, paying } = await openOffice();

describe("a call that waits for approval", () => {
  it("is shown exactly in the status, the log and the callback", async () => {
    const receiver = mailbox();
    const input = {
      to: ["ann@example.com"],
      subject: 'Prices of "today" <b>',
      text: "Dear Ann,\n\n1 < 2 & ünïcödé\n",
    };
    const id = await start([{ calls: [{ tool: "send_email", input, id: "mail" }] }], {
      approvals: ["send_email"],
      callbackUrl: receiver.url,
      callbackEvents: ["waiting_for_input"],
    });
    const call = { kind: "approval", tool: "send_email", callId: "mail", input };
    expect(await asked(id)).toMatchObject(call);
    const [entry] = await eventsOf(apiKey, id, "question");
    expect(entry?.data).toMatchObject(call);
    const [letter] = await receiver.letters(1);
    expect(JSON.parse(letter?.body ?? "")).toMatchObject({
      type: "execution.waiting_for_input",
      status: "waiting_for_input",
      presentedResult: { summary: "May I run send_email? Sending an e-mail to ann@example.com" },
      question: call,
      effects: [],
    });
  });

  it("runs once after its approval, and its answer reaches the model", async () => {
    const { id, site, gate } = await paying();
    expect((await asked(id)).callId).toBe("pay");
    expect(await site.letters()).toEqual([]);
    expect((await decide(id, "pay", "approve")).status).toBe(202);
    await ended(id);
    const idempotencyKey = `${id}:pay`;
    expect(await site.letters()).toMatchObject([
      {
        method: "POST",
        body: '{"amount":5,"to":"ann"}',
        headers: { "idempotency-key": idempotencyKey },
      },
    ]);
    expect((await gate.letters(1))[0]?.body).toContain("taken");
    expect((await resultOf(apiKey, id)).effects).toMatchObject([
      { effectId: "pay", idempotencyKey, state: "confirmed" },
    ]);
  });

  it("is not approved by a wrong id, a message, an interrupt, or another account", async () => {
    const { id, site, gate } = await paying();
    await asked(id);
    const problem = await expectProblem(await decide(id, "pya", "approve"), 400, "invalid_request");
    expect(problem.errors).toMatchObject([
      { path: "approval.callId", message: expect.stringContaining("waits for approval: pay") },
    ]);
    expect((await say(id, { message: "Yes, I approve: approve pay" })).status).toBe(202);
    const interrupt = await decide(id, "pay", "approve", { mode: "interrupt" });
    expect(await faultsOf(interrupt)).toEqual(["mode"]);
    const approval = { callId: "pay", decision: "approve" };
    const { apiKey: other } = await newAccount();
    await expectProblem(await say(id, { approval }, other), 404, "not_found");
    expect((await asked(id)).callId).toBe("pay");
    await decide(id, "pay", "deny");
    expect((await gate.letters(1))[0]?.body).toContain("Yes, I approve");
    expect(await site.letters()).toEqual([]);
  });
});

it("an approval without a waiting call is refused", async () => {
  const question = { calls: [{ tool: "ask_user", input: { question: "Which?" } }] };
  const id = await start([question], { interactive: true });
  await until(id, ({ statusDetail }) => statusDetail === "question");
  const problem = await expectProblem(await decide(id, "pay", "approve"), 400, "invalid_request");
  expect(problem.errors?.[0]?.message).toContain("none waits for approval");
});

it("a waiting call costs nothing, and no alarm fires before its timeout", async () => {
  // Other executions would share its host.
  const own = await openOffice();
  const { id } = await own.paying({ inputTimeoutSeconds: 7 * 86_400 });
  const { askedAt, creditsConsumed } = await own.asked(id);
  const deadline = Date.parse(askedAt) + 7 * 86_400_000;
  const execution = { account: { accountId: own.accountId }, executionId: id };
  const host = hostOf(own.accountId, id);
  const wakeups = async () => ({
    due: await dueAtRest(execution),
    alarm: await runInDurableObject(host, (_, { storage }) => storage.getAlarm()),
  });
  await expect.poll(wakeups).toEqual({ due: { deadline }, alarm: deadline });
  expect((await own.asked(id)).creditsConsumed).toBe(creditsConsumed);
});
