import * as z from "zod";
import { isFinal } from "../contract/execution.ts";
import {
  type ExecutionSeed,
  type MessageAccepted,
  type MessageCommand,
  type MessageReply,
  messageAccepted,
} from "../contract/session.ts";
import type { Engine } from "./engine.ts";
import { INBOX_LIMIT, receive } from "./machine/inbox.ts";
import type { MachineState } from "./machine/state.ts";

const replyRow = z.object({ body_hash: z.string(), reply: z.string() });

/**
 * Takes a message of the user. A repeat (by Idempotency-Key, or by the client's own message id) gets
 * the first one's reply, also after the end, and changes nothing.
 */
export function receiveMessage(
  engine: Engine,
  sql: SqlStorage,
  execution: { seed: ExecutionSeed; state: MachineState },
  command: MessageCommand,
): MessageReply {
  const { state, seed } = execution;
  const names = repeatNames(command);
  for (const { name, content } of names) {
    const known = sql
      .exec("SELECT body_hash, reply FROM message_replies WHERE key = ?", name)
      .toArray()[0];
    if (known === undefined) continue;
    const { body_hash, reply } = replyRow.parse(known);
    if (body_hash !== content) return { kind: "key_reused" };
    return { kind: "accepted", replayed: true, body: messageAccepted.parse(JSON.parse(reply)) };
  }
  const refusal = refuse(state, command);
  if (refusal !== null) return refusal;

  const messageId = command.messageId ?? `msg_${crypto.randomUUID()}`;
  let body: MessageAccepted | null = null;
  engine.commit(
    (t) => {
      receive(t, { ...command, messageId });
      t.touch();
    },
    (after) => {
      body = {
        executionId: seed.executionId,
        messageId,
        status: after.status,
        delivery: "queued",
        position: after.inbox.length,
      };
      for (const { name, content } of names) {
        sql.exec(
          "INSERT INTO message_replies (key, body_hash, reply) VALUES (?, ?, ?)",
          name,
          content,
          JSON.stringify(body),
        );
      }
    },
  );
  if (body === null) throw new Error("a message that was taken has a reply");
  return { kind: "accepted", replayed: false, body };
}

/** The names under which a repeat is recognised, each with what must be the same. */
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

function refuse(state: MachineState, command: MessageCommand): MessageReply | null {
  const { status, version, inbox, question } = state;
  if (isFinal(status)) return { kind: "not_active", status };
  if (command.ifVersion !== null && command.ifVersion !== version) {
    return { kind: "version_mismatch", version };
  }
  const pending = question?.kind === "approval" ? question.callId : null;
  if (command.approval !== null && command.approval.callId !== pending) {
    return { kind: "no_such_call", pending };
  }
  if (command.text !== null && inbox.length >= INBOX_LIMIT) {
    return { kind: "inbox_full", limit: INBOX_LIMIT };
  }
  return null;
}
