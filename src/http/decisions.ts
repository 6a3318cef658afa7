import * as z from "zod";
import { type DecisionLink, readLink, recipientsOf } from "../accounts/decision-notices.ts";
import { readToken, signToken } from "../accounts/signed-links.ts";
import type { Authorized } from "../contract/account.ts";
import {
  type Answerer,
  type DecideBody,
  type DecisionRecipient,
  type DecisionRecord,
  decideBody,
  decisionRecord,
  decisionState,
  executionOf,
  outcomeLine,
  shownDecision,
} from "../contract/decisions.ts";
import type { DecideReply, Unknown } from "../contract/session.ts";
import { accountStub, sessionHostStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { firstOf } from "../lib/pages.ts";
import { apiKey } from "./authentication.ts";
import { answererOf } from "./context.ts";
import { refusalOf } from "./executions/control.ts";
import { callSession } from "./executions/session.ts";
import { listQuery, listRoute } from "./list.ts";
import { listOf } from "./params.ts";
import { callOnce, callWithRetry, conflict, foundOr404, invalid } from "./problem.ts";
import { jsonBody, jsonResponse, route } from "./route.ts";

const DECISIONS = "/api/v1/decisions";
const readAuth = apiKey("decisions:read", "management");

const list = listRoute(DECISIONS, {
  operationId: "listDecisions",
  summary: "List decisions",
  description: "Returns decisions of all executions, newest first. `state=open`: those that wait.",
  auth: readAuth,
  query: listQuery({ state: listOf(decisionState) }),
  items: "decisions",
  page: "DecisionPage",
  item: decisionRecord,
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
  response: jsonResponse(200, "The decision.", decisionRecord),
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
  response: jsonResponse(200, "The decision, answered.", decisionRecord),
  problems: ["conflict", "validation_failed"],
  async handler({ http, caller, params: { decisionId: id }, body }) {
    const answerer = answererOf(http, caller);
    return { value: await answered(http.env, caller, { id, body, answerer }) };
  },
});

/** Answers a decision and returns its record. Throws the problem of an answer that does not count. */
async function answered(
  env: CloudflareEnv,
  caller: Pick<Authorized, "accountId" | "pending">,
  { id, body, answerer }: { id: string; body: DecideBody; answerer: Answerer },
): Promise<DecisionRecord> {
  const asked = { http: { env }, caller, params: { executionId: executionOf(id) } };
  const reply = await callSession<Exclude<DecideReply, Unknown>>(
    asked,
    (host, executionId) => host.decide(executionId, id, body, answerer),
    callOnce,
  );
  switch (reply.kind) {
    case "answered":
      return reply.decision;
    case "closed": {
      const decision = reply.decision ?? (await decisionOf(env, caller.accountId, id));
      throw conflict(outcomeLine(decision));
    }
    case "other_kind":
      throw reply.asked === "approval"
        ? invalid("decision", "required", "is required: a call waits for approval")
        : invalid("answer", "required", "is required: the agent asked a question");
    case "invalid_input":
    case "inbox_full":
      throw refusalOf(reply);
  }
}

/** Returns a decision: the newest one of an execution from its session, others from the account. */
async function decisionOf(env: CloudflareEnv, accountId: string, id: string) {
  const executionId = executionOf(id);
  const host = () => sessionHostStub(env, accountId, executionId);
  const newest = await callWithRetry(() => host().decision(executionId, id));
  if (newest !== null) return newest;
  const known = await callWithRetry(() => accountStub(env, accountId).knownDecision(id));
  return shownDecision(foundOr404(known).decision);
}

export const decisionRoutes = [list, read, decide];

/** A link as it stands: `unsigned` if it was changed or is not ours, `gone` with its execution. */
type OpenedLink =
  | { kind: "unsigned" }
  | { kind: "gone" }
  | { kind: "foreign" }
  | ({ kind: "known" } & KnownLink);

export interface KnownLink {
  link: DecisionLink;
  recipient: DecisionRecipient;
  decision: DecisionRecord;
}

/** Reads a link. Nothing is decided by it. */
export async function openLink(env: CloudflareEnv, token: string): Promise<OpenedLink> {
  const link = await readLink(token, settingsOf(env).ID_KEY);
  if (link === null) return { kind: "unsigned" };
  const account = () => accountStub(env, link.accountId);
  const known = await callWithRetry(() => account().knownDecision(link.decisionId));
  if (known === null) return { kind: "gone" };
  const { notify, escalateTo } = recipientsOf(known.rules);
  const recipient = [...notify, ...escalateTo].find(({ key }) => key === link.recipient);
  if (recipient === undefined) return { kind: "foreign" };
  return { kind: "known", link, recipient, decision: shownDecision(known.decision) };
}

/** Answers a decision in the name of a link's recipient. Throws the problem of an answer that does not count. */
export async function answerByLink(
  env: CloudflareEnv,
  { link, recipient }: KnownLink,
  { body, requestId }: { body: DecideBody; requestId: string },
): Promise<DecisionRecord> {
  const { accountId, decisionId: id } = link;
  const { email, destinationId = "" } = recipient;
  const all = email
    ? []
    : await callWithRetry(() => accountStub(env, accountId).listDestinations());
  const destination = all.find((each) => each.destinationId === destinationId);
  const name = email ?? destination?.name ?? destinationId;
  const by = { kind: "link" as const, id: email ?? destinationId, name };
  const answerer: Answerer = { by, via: "link", requestId };
  return answered(env, { accountId, pending: null }, { id, body, answerer });
}

/** Sends the recipient of a link a code; false if there were too many. */
export async function sendCode(env: CloudflareEnv, { link, recipient }: KnownLink, origin: string) {
  const { accountId, decisionId, recipient: key } = link;
  const { email = "" } = recipient;
  return callOnce(() =>
    accountStub(env, accountId).sendDecisionCode(decisionId, key, email, origin),
  );
}

/** Whether this is the code that the recipient was sent. */
export async function isCode(
  env: CloudflareEnv,
  { link: { accountId, decisionId, recipient } }: KnownLink,
  code: string,
): Promise<boolean> {
  return callOnce(() => accountStub(env, accountId).isDecisionCode(decisionId, recipient, code));
}

const FORM = "decisions: form of ";
/** How long a page of a link can be sent. */
const NONCE_MS = 12 * 3_600_000;

/** Returns the nonce of a link's form, without which it decides nothing. */
export function formNonce(env: CloudflareEnv, token: string): Promise<string> {
  return signToken(FORM + token, Date.now(), settingsOf(env).ID_KEY);
}

/** Whether the nonce was shown on the page of this link, not too long ago. */
export async function isFormNonce(env: CloudflareEnv, token: string, nonce: string) {
  const shownAt = await readToken(FORM + token, nonce, z.int(), settingsOf(env).ID_KEY);
  return shownAt !== null && Date.now() - shownAt <= NONCE_MS;
}
