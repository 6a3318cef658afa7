import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/contract/json.ts";
import { openOffice } from "../../support/worker/approvals.ts";
import { eventsOf, expectProblem, newAccount, resultOf } from "../../support/worker/client.ts";
import { mailbox } from "../../support/worker/objects.ts";

const { apiKey, start, say, decide, asked, until, ended, paying } = await openOffice();

describe("a call that waits for approval", () => {
  it("is shown exactly as it will be made: in the status, the log and the callback", async () => {
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

  it("is made once when it is approved, and told to the model", async () => {
    const { id, site, gate } = await paying();
    expect((await asked(id)).callId).toBe("pay");
    expect(await site.letters()).toEqual([]);
    expect((await decide(id, "pay", "approve")).status).toBe(202);
    await ended(id);
    expect(await site.letters()).toMatchObject([
      {
        method: "POST",
        body: '{"amount":5,"to":"ann"}',
        headers: { "idempotency-key": `${id}:pay` },
      },
    ]);
    expect((await gate.letters(1))[0]?.body).toContain("taken");
    const [letter] = await site.letters();
    expect((await resultOf(apiKey, id)).effects).toMatchObject([
      {
        effectId: "pay",
        idempotencyKey: letter?.headers["idempotency-key"],
        state: "confirmed",
      },
    ]);
  });

  it("is not made when it is denied, and the model is told so, with the user's words if any", async () => {
    for (const words of [{}, { message: "Never to Ann" }]) {
      const { id, site, gate } = await paying();
      await asked(id);
      expect((await decide(id, "pay", "deny", words)).status).toBe(202);
      await ended(id);
      expect(await site.letters()).toEqual([]);
      const [told] = await gate.letters(1);
      expect(told?.body).toContain("denied");
      expect(told?.body.includes("Never to Ann")).toBe("message" in words);
      expect((await resultOf(apiKey, id)).effects).toEqual([]);
    }
  });

  it("is decided once, however many decide at the same time", async () => {
    const { id, site } = await paying();
    await asked(id);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => decide(id, "pay", "approve")),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 400, 400, 400, 400]);
    await ended(id);
    expect(await site.letters()).toHaveLength(1);
  });

  it("is either made or not when a yes and a no meet, as the one that was taken said", async () => {
    const { id, site } = await paying();
    await asked(id);
    const [yes, no] = await Promise.all([decide(id, "pay", "approve"), decide(id, "pay", "deny")]);
    expect([yes.status, no.status].sort()).toEqual([202, 400]);
    await ended(id);
    expect(await site.letters()).toHaveLength(yes.status === 202 ? 1 : 0);
  });

  it("is not approved by naming another call, nor by a message alone", async () => {
    const { id, site, gate } = await paying();
    await asked(id);
    const problem = await expectProblem(await decide(id, "pya", "approve"), 400, "invalid_request");
    expect(problem.errors).toMatchObject([
      { path: "approval.callId", message: expect.stringContaining("waits for approval: pay") },
    ]);
    expect((await say(id, { message: "Yes, I approve: approve pay" })).status).toBe(202);
    expect((await asked(id)).callId).toBe("pay");
    expect(await site.letters()).toEqual([]);
    await decide(id, "pay", "deny");
    expect((await gate.letters(1))[0]?.body).toContain("Yes, I approve");
    expect(await site.letters()).toEqual([]);
  });

  it("is not approved by a message that would give it up in the same breath", async () => {
    const { id, site } = await paying();
    await asked(id);
    const answer = await decide(id, "pay", "approve", { mode: "interrupt" });
    const problem = await expectProblem(answer, 400, "invalid_request");
    expect(problem.errors).toMatchObject([{ path: "mode" }]);
    await asked(id);
    expect(await site.letters()).toEqual([]);
  });

  it("is not approved by somebody else", async () => {
    const { id } = await paying();
    await asked(id);
    const other = await newAccount();
    const approval = { callId: "pay", decision: "approve" };
    await expectProblem(await say(id, { approval }, other.apiKey), 404, "not_found");
    await asked(id);
  });

  it("is denied by an interrupt", async () => {
    const { id, site, gate } = await paying();
    await asked(id);
    await say(id, { message: "Something else first", mode: "interrupt" });
    await ended(id);
    expect((await gate.letters(1))[0]?.body).toMatch(/denied.*Something else first/);
    expect(await site.letters()).toEqual([]);
  });

  it("cannot be approved where none waits", async () => {
    const id = await start([{ calls: [{ tool: "ask_user", input: { question: "Which?" } }] }], {
      interactive: true,
    });
    await until(id, ({ statusDetail }) => statusDetail === "question");
    const problem = await expectProblem(await decide(id, "pay", "approve"), 400, "invalid_request");
    expect(problem.errors?.[0]?.message).toContain("none waits for approval");
  });
});

describe("several calls in one reply", () => {
  it("are asked for one after another, each at its place among the others", async () => {
    const [first, page, second, third] = [mailbox(), mailbox(), mailbox(), mailbox()];
    const post = (id: string, { url }: { url: string }) => {
      const input: Json = { method: "POST", url };
      return { tool: "http_request", input, id };
    };
    const calls = [
      post("first", first),
      { tool: "browse", input: { url: page.url }, id: "page" },
      post("second", second),
      post("third", third),
    ];
    const id = await start([{ calls }, {}], { approvals: ["http_request"] });
    await asked(id, "first");
    expect(await page.letters()).toEqual([]);
    await decide(id, "first", "approve");
    await asked(id, "second");
    expect([(await first.letters()).length, (await page.letters()).length]).toEqual([1, 1]);
    await decide(id, "second", "deny");
    await asked(id, "third");
    await decide(id, "third", "approve");
    await ended(id);
    expect(await second.letters()).toEqual([]);
    expect(await third.letters()).toHaveLength(1);
    const finished = await eventsOf(apiKey, id, "tool.finished");
    expect(finished.map(({ data }) => data.callId)).toEqual(["first", "page", "second", "third"]);
  });

  it("are refused without a question when their tool is not in the allow-list", async () => {
    const site = mailbox();
    const calls = [{ tool: "http_request", input: { method: "POST", url: site.url } }];
    const id = await start([{ calls }, {}], { tools: ["browse"], approvals: ["http_request"] });
    await ended(id);
    expect(await eventsOf(apiKey, id, "question")).toEqual([]);
    const [finished] = await eventsOf(apiKey, id, "tool.finished");
    expect(finished?.data).toMatchObject({ ok: false, error: { code: "unknown_tool" } });
    expect(await site.letters()).toEqual([]);
  });
});
