import { describe, expect, it, vi } from "vitest";
import { decisionRecord } from "../../../src/contract/decisions.ts";
import { openOffice } from "../../support/worker/approvals.ts";
import {
  allPages,
  callsOf,
  expectProblem,
  faultsOf,
  newAccount,
  resultOf,
} from "../../support/worker/client.ts";

const { apiKey, start, say, decide, asked, until, ended, paying } = await openOffice();
const DECISIONS = "/api/v1/decisions";

const listed = (query = "?limit=100", token = apiKey) =>
  allPages(token, `${DECISIONS}${query}`, "decisions", decisionRecord);

/** The open decision of an execution, once it is listed. */
const openOf = (executionId: string) =>
  vi.waitFor(
    async () => {
      const open = await listed("?state=open&limit=100");
      const found = open.find((decision) => decision.executionId === executionId);
      if (found === undefined) throw new Error("not listed yet");
      return found;
    },
    { timeout: 30_000 },
  );

const answer = (decisionId: string, body: object, token = apiKey) =>
  callsOf(token).post(`${DECISIONS}/${decisionId}`, body);

/** An execution that wants to pay, and the decision that it asks for. */
async function deciding() {
  const run = await paying();
  return { ...run, decision: await openOf(run.id) };
}

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

describe("a decision", () => {
  it("is listed over all executions with the exact call and its schema, only for its account", async () => {
    const { id, input, decision } = await deciding();
    const { question } = await until(id, (state) => state.question !== undefined);
    expect(decision).toMatchObject({
      decisionId: question?.decisionId,
      kind: "approval",
      tool: "http_request",
      input,
      inputSchema: { properties: { url: {} } },
      state: "open",
    });
    const answered = await listed("?state=answered&limit=100");
    expect(answered.map((each) => each.executionId)).not.toContain(id);
    const { apiKey: other } = await newAccount();
    expect(await listed(undefined, other)).toEqual([]);
    const foreign = await answer(decision.decisionId, { decision: "approve" }, other);
    await expectProblem(foreign, 404, "not_found");
    await decide(id, "pay", "deny");
  });

  it("is made once: a later answer shows who answered and when", async () => {
    const { id, site, decision } = await deciding();
    const { decisionId } = decision;
    const bodies = ["approve", "deny", "approve"].map((each) => ({ decision: each }));
    const answers = await Promise.all(bodies.map((body) => answer(decisionId, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const late = await answer(decisionId, { decision: "deny" });
    const { detail } = await expectProblem(late, 409, "conflict");
    expect(detail).toMatch(/^Already (approved|denied) by .+ at \d{4}-.+Z\.$/);
    await ended(id);
    const answered = await listed("?state=answered&limit=100");
    const closed = answered.find((each) => each.decisionId === decisionId);
    expect(closed).toMatchObject({ state: "answered", by: { kind: "key" }, via: "api" });
    expect(await site.letters()).toHaveLength(closed?.decision === "approve" ? 1 : 0);
  });

  it("edits the call: the ledger shows both versions and the name, the audit log who decided", async () => {
    const { id, site, input, decision } = await deciding();
    const { decisionId } = decision;
    const changed = { ...input, body: { amount: 3, to: "ann" } };
    const body = { decision: "approve", input: changed, comment: "Fine" };
    expect((await answer(decisionId, body)).status).toBe(200);
    await ended(id);
    expect((await site.letters()).map((letter) => letter.body)).toEqual([
      '{"amount":3,"to":"ann"}',
    ]);
    expect((await resultOf(apiKey, id)).effects).toMatchObject([
      { state: "confirmed", input: changed, askedInput: input, approvedBy: { kind: "key" } },
    ]);
    const log = await callsOf(apiKey).get(`/api/v1/audit?resource=${decisionId}`);
    expect(await log.json()).toMatchObject({
      entries: [
        {
          action: "decision.answered",
          by: { kind: "key" },
          resource: { kind: "decision", id: decisionId },
          detail: { executionId: id, decision: "approve", via: "api", comment: "Fine" },
        },
      ],
    });
  });

  it("stays open if the tool refuses the edited input, with the field", async () => {
    const { id, input, site, decision } = await deciding();
    const { decisionId } = decision;
    const wrong = { decision: "approve", input: { ...input, url: 7 } };
    const problem = await expectProblem(await answer(decisionId, wrong), 422, "validation_failed");
    expect(problem.errors).toMatchObject([{ path: "input.url" }]);
    const approval = { callId: "pay", ...wrong };
    await expectProblem(await say(id, { approval }), 422, "validation_failed");
    expect((await openOf(id)).decisionId).toBe(decisionId);
    await answer(decisionId, { decision: "deny" });
    await ended(id);
    expect(await site.letters()).toEqual([]);
  });

  it("is closed by a message, and withdrawn at the end of its execution", async () => {
    const { id, decision } = await deciding();
    expect((await decide(id, "pay", "approve")).status).toBe(202);
    const late = await answer(decision.decisionId, { decision: "deny" });
    await expectProblem(late, 409, "conflict");
    const other = await deciding();
    await callsOf(apiKey).post(`/api/v1/agent/trigger/${other.id}/stop`);
    const withdrawn = await answer(other.decision.decisionId, { decision: "approve" });
    const { detail } = await expectProblem(withdrawn, 409, "conflict");
    expect(detail).toMatch(/^The execution ended/);
  });

  it("answers a question, which no approval does, and names a missing field", async () => {
    const asks = { question: "Which?", choices: ["Red", "Blue"] };
    const step = { calls: [{ tool: "ask_user", input: asks }] };
    const id = await start([step, {}], { interactive: true });
    const { decisionId, ...decision } = await openOf(id);
    expect(decision).toMatchObject({ kind: "question", ...asks });
    const { detail } = await expectProblem(
      await decide(id, "pay", "approve"),
      400,
      "invalid_request",
    );
    expect(detail).toContain("none waits for approval");
    for (const body of [{ decision: "approve" }, {}]) {
      await expectProblem(await answer(decisionId, body), 400, "invalid_request");
    }
    const answered = await (await answer(decisionId, { answer: "Red" })).json();
    expect(answered).toMatchObject({ state: "answered", answer: "Red", via: "api" });
    await ended(id);
  });

  it("is on exactly one page of the list", async () => {
    expect(await listed("?limit=3")).toEqual(await listed());
    const closed = await callsOf(apiKey).get(`${DECISIONS}?state=closed`);
    expect(await faultsOf(closed)).toEqual(["state[0]"]);
  });
});
