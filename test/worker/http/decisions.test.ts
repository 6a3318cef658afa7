import { describe, expect, it, vi } from "vitest";
import { type DecisionRecord, decisionRecord } from "../../../src/contract/decisions.ts";
import { openOffice } from "../../support/worker/approvals.ts";
import { expectProblem, newAccount, resultOf, send } from "../../support/worker/client.ts";

const { apiKey, start, say, decide, asked, until, ended, paying } = await openOffice();
const DECISIONS = "/api/v1/decisions";

async function listed(query = "", token = apiKey) {
  const page = await (await send(`${DECISIONS}${query}`, { token })).json();
  const { decisions, nextCursor } = page as { decisions: DecisionRecord[]; nextCursor: string };
  return { decisions: decisions.map((each) => decisionRecord.parse(each)), nextCursor };
}

/** The open decision of an execution, once it is listed. */
const openOf = (executionId: string) =>
  vi.waitFor(
    async () => {
      const { decisions } = await listed("?state=open&limit=100");
      const found = decisions.find((decision) => decision.executionId === executionId);
      if (found === undefined) throw new Error("not listed yet");
      return found;
    },
    { timeout: 30_000 },
  );

const answer = (decisionId: string, body: object, token = apiKey) =>
  send(`${DECISIONS}/${decisionId}`, { method: "POST", token, body });

describe("decisions", () => {
  it("lists what waits for a person over all executions, with the exact call and its schema", async () => {
    const { id, input } = await paying();
    const { question } = await until(id, (state) => state.question !== undefined);
    const decision = await openOf(id);
    expect(decision).toMatchObject({
      decisionId: question?.decisionId,
      kind: "approval",
      tool: "http_request",
      input,
      inputSchema: { properties: { url: {} } },
      state: "open",
    });
    expect(
      (await listed("?state=answered")).decisions.map((each) => each.executionId),
    ).not.toContain(id);
    const other = await newAccount();
    expect((await listed("", other.apiKey)).decisions).toEqual([]);
    await expectProblem(
      await answer(decision.decisionId, { decision: "approve" }, other.apiKey),
      404,
      "not_found",
    );
    await decide(id, "pay", "deny");
  });

  it("is approved once: the second answer is told who answered and when", async () => {
    const { id, site } = await paying();
    const { decisionId } = await openOf(id);
    const bodies = ["approve", "deny", "approve"].map((decision) => ({ decision }));
    const answers = await Promise.all(bodies.map((body) => answer(decisionId, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const late = await expectProblem(
      await answer(decisionId, { decision: "deny" }),
      409,
      "conflict",
    );
    expect(late.detail).toMatch(/^Already (approved|denied) by .+ at \d{4}-.+Z\.$/);
    await ended(id);
    const { decisions } = await listed("?state=answered");
    const closed = decisions.find((each) => each.decisionId === decisionId);
    expect(closed).toMatchObject({ state: "answered", by: { kind: "key" }, via: "api" });
    expect(await site.letters()).toHaveLength(closed?.decision === "approve" ? 1 : 0);
  });

  it("makes the call as a person changed it, and the ledger shows both and the name", async () => {
    const { id, site, input } = await paying();
    const { decisionId } = await openOf(id);
    const changed = { ...input, body: { amount: 3, to: "ann" } };
    expect((await answer(decisionId, { decision: "approve", input: changed })).status).toBe(200);
    await ended(id);
    expect((await site.letters()).map(({ body }) => body)).toEqual(['{"amount":3,"to":"ann"}']);
    expect((await resultOf(apiKey, id)).effects).toMatchObject([
      { state: "confirmed", input: changed, askedInput: input, approvedBy: { kind: "key" } },
    ]);
  });

  it("stays open when the tool refuses the changed input, which names the field", async () => {
    const { id, input, site } = await paying();
    const { decisionId } = await openOf(id);
    const refused = await answer(decisionId, { decision: "approve", input: { ...input, url: 7 } });
    const problem = await expectProblem(refused, 422, "validation_failed");
    expect(problem.errors).toMatchObject([{ path: "input.url" }]);
    const same = { callId: "pay", decision: "approve", input: { ...input, url: 7 } };
    await expectProblem(await say(id, { approval: same }), 422, "validation_failed");
    expect((await openOf(id)).decisionId).toBe(decisionId);
    await answer(decisionId, { decision: "deny" });
    await ended(id);
    expect(await site.letters()).toEqual([]);
  });

  it("is closed by a message as well, and a message that comes too late decides nothing", async () => {
    const { id } = await paying();
    const { decisionId } = await openOf(id);
    expect((await decide(id, "pay", "approve")).status).toBe(202);
    await expectProblem(await answer(decisionId, { decision: "deny" }), 409, "conflict");
    const { decisionId: again } = await openOf((await paying()).id);
    await answer(again, { decision: "deny" });
    await ended(id);
  });

  it("ends as denied with the comment when the agent finds no other way", async () => {
    const call = {
      tool: "http_request",
      input: { method: "POST", url: "https://a.example/" },
      id: "pay",
    };
    const finish = { status: "failed", summary: "Not paid." } as const;
    const id = await start([{ calls: [call] }, { finish }], { approvals: ["http_request"] });
    await asked(id);
    await answer((await openOf(id)).decisionId, { decision: "deny", comment: "Too dear." });
    const { statusDetail, error } = await ended(id);
    expect({ statusDetail, message: error?.message }).toMatchObject({
      statusDetail: "denied",
      message: expect.stringMatching(/denied http_request: Too dear\. Not paid\.$/),
    });
  });

  it("answers a question, and says which field it needs", async () => {
    const ask = { tool: "ask_user", input: { question: "Which?", choices: ["Red", "Blue"] } };
    const id = await start([{ calls: [ask] }, {}], { interactive: true });
    const { decisionId, ...decision } = await openOf(id);
    expect(decision).toMatchObject({
      kind: "question",
      question: "Which?",
      choices: ["Red", "Blue"],
    });
    await expectProblem(await answer(decisionId, { decision: "approve" }), 400, "invalid_request");
    await expectProblem(await answer(decisionId, {}), 400, "invalid_request");
    const answered = await (await answer(decisionId, { answer: "Red" })).json();
    expect(answered).toMatchObject({ state: "answered", answer: "Red", via: "api" });
    await ended(id);
  });

  it("is withdrawn when its execution ends otherwise", async () => {
    const { id } = await paying();
    const { decisionId } = await openOf(id);
    await send(`/api/v1/agent/trigger/${id}/stop`, { method: "POST", token: apiKey });
    const late = await expectProblem(
      await answer(decisionId, { decision: "approve" }),
      409,
      "conflict",
    );
    expect(late.detail).toMatch(/^The execution ended/);
  });

  it("is in the audit log with who decided, once", async () => {
    const { id } = await paying();
    const { decisionId } = await openOf(id);
    await answer(decisionId, { decision: "approve", comment: "Fine" });
    const log = await (
      await send(`/api/v1/audit?resource=${decisionId}`, { token: apiKey })
    ).json();
    expect(log).toMatchObject({
      entries: [
        {
          action: "decision.answered",
          by: { kind: "key" },
          resource: { kind: "decision", id: decisionId },
          detail: { executionId: id, decision: "approve", via: "api", comment: "Fine" },
        },
      ],
    });
    await ended(id);
  });

  it("pages through all decisions, none twice and none left out", async () => {
    const all = (await listed("?limit=100")).decisions.map(({ decisionId }) => decisionId);
    const paged: string[] = [];
    for (let query = "?limit=3"; query !== ""; ) {
      const { decisions, nextCursor } = await listed(query);
      paged.push(...decisions.map(({ decisionId }) => decisionId));
      query = nextCursor === null ? "" : `?limit=3&cursor=${nextCursor}`;
    }
    expect(paged).toEqual(all);
    await expectProblem(
      await send(`${DECISIONS}?state=closed`, { token: apiKey }),
      400,
      "invalid_request",
    );
  });
});
