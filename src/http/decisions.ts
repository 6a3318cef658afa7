import type { Authorized } from "../contract/account.ts";
import {
  type Answerer,
  type DecideBody,
  type DecisionRecord,
  decideBody,
  decisionExample,
  decisionRecord,
  decisionState,
  executionOf,
  outcomeLine,
  shownDecision,
} from "../contract/decisions.ts";
import type { DecideReply, Unknown } from "../contract/session.ts";
import { accountStub, sessionHostStub } from "../durable/stubs.ts";
import { answererOf } from "./actor.ts";
import { apiKey } from "./authentication.ts";
import { jsonBody } from "./body.ts";
import { callWithRetry } from "./call-with-retry.ts";
import { inboxFull, invalidInput } from "./executions/control.ts";
import { callSession } from "./executions/session.ts";
import { firstOf, listQuery, listRoute } from "./list.ts";
import { HttpProblem, invalid, notFound } from "./problem.ts";
import { listOf } from "./query.ts";
import { jsonResponse, route } from "./route.ts";

const DECISIONS = "/api/v1/decisions";
const readAuth = apiKey("decisions:read", "management");

const list = listRoute(DECISIONS, {
  operationId: "listDecisions",
  summary: "List decisions",
  description:
    "Returns the decisions of all executions, newest first: questions of agents, and calls that require approval. With `state=open`, those that wait for a person.",
  auth: readAuth,
  query: listQuery({ state: listOf(decisionState) }),
  items: "decisions",
  page: "DecisionPage",
  item: decisionRecord,
  example: decisionExample,
  async read({ http, caller: { accountId }, query: { state: states, limit } }, after) {
    // One more than requested shows whether there is a next page.
    const query = { states, limit: limit + 1, after };
    const found = await callWithRetry(() => accountStub(http.env, accountId).listDecisions(query));
    return firstOf(found.map(shownDecision), limit, (decision) => ({
      createdAt: Date.parse(decision.requestedAt),
      id: decision.decisionId,
    }));
  },
});

const read = route("GET", `${DECISIONS}/:decisionId`, {
  operationId: "getDecision",
  summary: "Get a decision",
  description: "Returns what is asked, until when, and what was answered by whom.",
  auth: readAuth,
  response: jsonResponse(200, "The decision.", decisionRecord, decisionExample),
  async handler({ http, caller: { accountId }, params: { decisionId: id } }) {
    return { value: await decisionOf(http.env, accountId, id) };
  },
});

const decide = route("POST", `${DECISIONS}/:decisionId`, {
  operationId: "decide",
  summary: "Answer a decision",
  description:
    "Approves or denies the call, or answers the question. With `input` the call is made with this input in place of the agent's; it is checked by the tool. The first answer counts: a later one gets a 409 that says who answered and when.",
  auth: apiKey("decisions:write", "management"),
  body: jsonBody(decideBody, { decision: "approve", comment: "Go ahead." }),
  response: jsonResponse(200, "The decision, answered.", decisionRecord, {
    ...decisionExample,
    state: "answered",
    decision: "approve",
    comment: "Go ahead.",
    by: { kind: "member", id: "mem_4kQ0mYb2Zt7RcX1a", name: "Ada" },
    via: "api",
    answeredAt: "2026-11-20T09:41:00.000Z",
  }),
  problems: ["conflict", "validation_failed"],
  async handler({ http, caller, params: { decisionId: id }, body }) {
    const answerer = answererOf(http, caller);
    return { value: await answered(http.env, caller, { id, body, answerer }) };
  },
});

/** Answers a decision and returns its record. Throws the problem of an answer that does not count. */
export async function answered(
  env: CloudflareEnv,
  caller: Pick<Authorized, "accountId" | "pending">,
  { id, body, answerer }: { id: string; body: DecideBody; answerer: Answerer },
): Promise<DecisionRecord> {
  const reply = await callSession<Exclude<DecideReply, Unknown>>({
    env,
    caller,
    executionId: executionOf(id),
    idempotent: false,
    call: (host, executionId) => host.decide(executionId, id, body, answerer),
  });
  switch (reply.kind) {
    case "answered":
      return reply.decision;
    case "closed": {
      const decision = reply.decision ?? (await decisionOf(env, caller.accountId, id));
      throw new HttpProblem("conflict", outcomeLine(decision));
    }
    case "other_kind": {
      const field = reply.asked === "approval" ? "decision" : "answer";
      const why =
        reply.asked === "approval" ? "a call waits for approval" : "the agent asked a question";
      throw invalid(field, "required", `is required: ${why}`);
    }
    case "invalid_input":
      throw invalidInput(reply.violations);
    case "inbox_full":
      throw inboxFull(reply.limit);
  }
}

/** Returns a decision: the newest one of an execution from its session, others from the account. */
async function decisionOf(env: CloudflareEnv, accountId: string, id: string) {
  const executionId = executionOf(id);
  const host = () => sessionHostStub(env, accountId, executionId);
  const newest = await callWithRetry(() => host().decision(executionId, id));
  if (newest !== null) return newest;
  const known = await callWithRetry(() => accountStub(env, accountId).knownDecision(id));
  if (known === null) throw notFound();
  return shownDecision(known.decision);
}

export const decisionRoutes = [list, read, decide];
