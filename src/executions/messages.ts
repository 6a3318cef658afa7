import type { Toolset } from "../agent/tools/toolset.ts";
import { type DecideBody, shownDecision } from "../contract/decisions.ts";
import { isFinal } from "../contract/execution.ts";
import type { Violation } from "../contract/problem.ts";
import type {
  DecideReply,
  ExecutionSeed,
  MessageAccepted,
  MessageCommand,
  MessageReply,
  StopCommand,
  StopReply,
} from "../contract/session.ts";
import type { StoredFact } from "./journal/facts.ts";
import type { EarlierReply } from "./journal/history.ts";
import { openDecisionOf } from "./machine/decisions.ts";
import { type Approval, INBOX_LIMIT, isOver, isWaitingFor, queueMessage } from "./machine/inbox.ts";
import { stopByUser, supersede } from "./machine/lifecycle.ts";
import type { MachineState } from "./machine/state.ts";
import type { Transition } from "./machine/transition.ts";

/** The part of a session that a message changes. */
interface Addressee {
  readonly seed: ExecutionSeed;
  readonly state: MachineState;
  tools(): Promise<Toolset>;
  commit(change: (t: Transition) => void, also?: (state: MachineState) => StoredFact[]): void;
}

/** Answers a decision as a message does, once. The first answer counts; `send` accepts the message. */
export async function answerDecision(
  session: Pick<Addressee, "state">,
  decisionId: string,
  { decision, input, comment, answer }: DecideBody,
  send: (message: MessageCommand) => Promise<MessageReply>,
): Promise<DecideReply> {
  const { decision: newest } = session.state;
  const known = newest?.decisionId === decisionId ? newest : null;
  if (known?.state !== "open") return { kind: "closed", decision: known && shownDecision(known) };
  const { kind: asked, callId } = known;
  if ((asked === "approval") !== (decision !== undefined)) return { kind: "other_kind", asked };
  const approval = decision === undefined ? null : { callId, decision, input, comment };
  const reply = await send({ ...PLAIN, text: answer ?? null, approval, decisionId });
  if (reply.kind === "invalid_input" || reply.kind === "inbox_full") return reply;
  const after = session.state.decision;
  const now = after?.decisionId === decisionId ? shownDecision(after) : null;
  return reply.kind === "accepted" && now !== null
    ? { kind: "answered", decision: now }
    : { kind: "closed", decision: now };
}

const PLAIN = { mode: "next_step", messageId: null, idempotency: null, ifVersion: null } as const;

/** Returns a message whose changed call is checked by its tool, or what is wrong with the call. */
export async function withEditedCall(
  session: Pick<Addressee, "state" | "seed" | "tools">,
  command: MessageCommand,
): Promise<{ ok: true; command: CheckedCommand } | { ok: false; violations: Violation[] }> {
  const { approval } = command;
  const { phase } = session.state;
  const call =
    phase.kind === "waiting" ? phase.calls.find(({ callId }) => callId === approval?.callId) : null;
  if (approval?.input === undefined || call == null) return { ok: true, command };
  const { input } = approval;
  const tools = await session.tools();
  const checked = tools.names.includes(call.tool) ? tools.check(call.tool, input) : null;
  if (checked === null) {
    const message = `cannot be changed: the agent no longer has the tool ${call.tool}`;
    return { ok: false, violations: [{ path: "input", rule: "tool", message }] };
  }
  if (!checked.ok) {
    const at = ({ path, ...rest }: Violation) => ({
      ...rest,
      path: path ? `input.${path}` : "input",
    });
    return { ok: false, violations: checked.violations.map(at) };
  }
  const { kind, price, target, description } = checked;
  const edited = { kind, price, target, description, input };
  return { ok: true, command: { ...command, approval: { ...approval, edited } } };
}

type CheckedCommand = Omit<MessageCommand, "approval"> & { approval: Approval | null };

/**
 * Accepts a message of the user. A repeat, recognised by its Idempotency-Key or its message id, returns
 * the first reply, even after the end, and changes nothing. `replyOf` returns the reply to the earlier
 * message of a name.
 */
export function acceptMessage(
  session: Addressee,
  command: CheckedCommand,
  replyOf: (name: string) => EarlierReply | null,
): MessageReply {
  const names = repeatNames(command);
  const early = repeatedReply(names, replyOf) ?? refuseMessage(session.state, command);
  if (early !== null) return early;

  const messageId = command.messageId ?? `msg_${crypto.randomUUID()}`;
  const replyAfter = (after: MachineState): MessageAccepted => ({
    executionId: session.seed.executionId,
    messageId,
    status: after.status,
    delivery: "queued",
    position: after.inbox.length,
  });
  let body = replyAfter(session.state);
  session.commit(
    (t) => {
      queueMessage(t, { ...command, messageId });
      t.touch();
    },
    (after) => {
      body = replyAfter(after);
      return [{ kind: "reply", names, body }];
    },
  );
  return { kind: "accepted", replayed: false, body };
}

/** Returns the keys that recognise a repeat of a message, each with the content that must match. */
function repeatNames(command: CheckedCommand): { name: string; content: string }[] {
  const { idempotency, messageId, text, mode } = command;
  // A changed call is checked only while it waits, and a repeat comes after that.
  const approval = command.approval && { ...command.approval, edited: undefined };
  return [
    ...(idempotency === null
      ? []
      : [{ name: `key:${idempotency.key}`, content: idempotency.bodyHash }]),
    ...(messageId === null
      ? []
      : [{ name: `id:${messageId}`, content: JSON.stringify([text, mode, approval]) }]),
  ];
}

/** Returns the reply to a message that repeats an earlier one, or null if it does not. */
function repeatedReply(
  names: readonly { name: string; content: string }[],
  replyOf: (name: string) => EarlierReply | null,
): MessageReply | null {
  for (const { name, content } of names) {
    const known = replyOf(name);
    if (known === null) continue;
    if (known.content !== content) return { kind: "key_reused" };
    return { kind: "accepted", replayed: true, body: known.body };
  }
  return null;
}

/** Returns why a message is refused, or null. */
function refuseMessage(state: MachineState, command: CheckedCommand): MessageReply | null {
  const { status, version, inbox, question, decision } = state;
  const open = openDecisionOf(state)?.decisionId;
  if (isFinal(status)) return { kind: "not_active", status };
  if (command.ifVersion !== null && command.ifVersion !== version)
    return { kind: "version_mismatch", version };
  if (command.decisionId !== undefined && command.decisionId !== open)
    return { kind: "no_such_call", pending: null };
  const pending = question?.kind === "approval" ? question.callId : null;
  if (command.approval !== null && command.approval.callId !== pending) {
    return decision?.callId === command.approval.callId
      ? { kind: "decided", decision: shownDecision(decision) }
      : { kind: "no_such_call", pending };
  }
  if (command.answers !== undefined) {
    // A call that is not waiting yet, or no longer.
    if (isWaitingFor(state, command.answers)) return null;
    return isOver(state, command.answers)
      ? { kind: "not_active", status }
      : { kind: "no_such_call", pending };
  }
  const isQueued = command.text !== null || command.event !== undefined;
  return isQueued && inbox.length >= INBOX_LIMIT
    ? { kind: "inbox_full", limit: INBOX_LIMIT }
    : null;
}

/** Stops an execution. One that has ended is unchanged. */
export function stopExecution(
  session: Addressee,
  { reason, ifVersion, detail }: StopCommand,
): StopReply {
  const { version } = session.state;
  if (ifVersion !== null && ifVersion !== version) return { kind: "version_mismatch", version };
  if (!isFinal(session.state.status)) {
    session.commit((t) => (detail === "superseded" ? supersede(t) : stopByUser(t, reason)));
  }
  const { executionId } = session.seed;
  const { status, statusDetail, version: now } = session.state;
  return { kind: "stopped", body: { executionId, status, statusDetail, version: now } };
}
