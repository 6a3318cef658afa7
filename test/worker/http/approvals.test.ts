import { describe, expect, it } from "vitest";
import { openOffice } from "../../support/worker/approvals.ts";
import { expectProblem, faultsOf, newAccount, resultOf } from "../../support/worker/client.ts";

const { apiKey, start, say, decide, asked, until, ended, paying } = await openOffice();

describe("a call that waits for approval", () => {
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
