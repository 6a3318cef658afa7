import { isFinal } from "../contract/execution.ts";
import type {
  ExecutionSeed,
  MessageAccepted,
  MessageCommand,
  MessageReply,
  StopCommand,
  StopReply,
} from "../contract/session.ts";
import type { StoredFact } from "./journal/facts.ts";
import type { EarlierReply } from "./journal/history.ts";
import { INBOX_LIMIT, isOver, isWaitingFor, queueMessage } from "./machine/inbox.ts";
import { stopByUser, supersede } from "./machine/lifecycle.ts";
import type { MachineState } from "./machine/state.ts";
import type { Transition } from "./machine/transition.ts";
import { statusView } from "./views.ts";

/** The part of a session that a message changes. */
interface Addressee {
  readonly seed: ExecutionSeed;
  readonly state: MachineState;
  commit(change: (t: Transition) => void, also?: (state: MachineState) => StoredFact[]): void;
}

/**
 * Accepts a message of the user. A repeat, recognised by its Idempotency-Key or its message id, returns
 * the first reply, even after the end, and changes nothing. `replyOf` returns the reply to the earlier
 * message of a name.
 */
export function acceptMessage(
  session: Addressee,
  command: MessageCommand,
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
function repeatNames(command: MessageCommand): { name: string; content: string }[] {
  const { idempotency, messageId, text, mode, approval } = command;
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
function refuseMessage(state: MachineState, command: MessageCommand): MessageReply | null {
  const { status, version, inbox, question } = state;
  if (isFinal(status)) return { kind: "not_active", status };
  if (command.ifVersion !== null && command.ifVersion !== version) {
    return { kind: "version_mismatch", version };
  }
  const pending = question?.kind === "approval" ? question.callId : null;
  if (command.approval !== null && command.approval.callId !== pending) {
    return { kind: "no_such_call", pending };
  }
  if (command.answers !== undefined) {
    // A call that is not waiting yet, or no longer.
    if (!isWaitingFor(state, command.answers)) {
      return isOver(state, command.answers)
        ? { kind: "not_active", status }
        : { kind: "no_such_call", pending };
    }
    return null;
  }
  if ((command.text !== null || command.event !== undefined) && inbox.length >= INBOX_LIMIT) {
    return { kind: "inbox_full", limit: INBOX_LIMIT };
  }
  return null;
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
  const {
    executionId,
    status,
    statusDetail,
    version: now,
  } = statusView(session.seed, session.state);
  return { kind: "stopped", body: { executionId, status, statusDetail, version: now } };
}
