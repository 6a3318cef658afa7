import { DurableObject } from "cloudflare:workers";
import * as z from "zod";
import type { DeliveryOrder, DeliveryReport } from "../contract/callbacks.ts";
import { isFinal } from "../contract/execution.ts";
import {
  type CallbacksReply,
  type EventsReply,
  type ExecutionSeed,
  executionSeed,
  type FileReply,
  type MessageAccepted,
  type MessageCommand,
  type MessageReply,
  messageAccepted,
  type RedeliverReply,
  type ResultReply,
  type SessionApi,
  type StatusReply,
  type StopReply,
  type TaskReply,
} from "../contract/session.ts";
import { Engine } from "./engine.ts";
import { INBOX_LIMIT, queueMessage } from "./machine/inbox.ts";
import { stopByUser } from "./machine/lifecycle.ts";
import type { MachineState } from "./machine/state.ts";
import { resultView, statusView, taskView } from "./views.ts";

const UNKNOWN = { kind: "unknown" } as const;

/** The Durable Object of one execution: passes calls and alarms to its engine. */
export class ExecutionSession extends DurableObject<CloudflareEnv> implements SessionApi {
  readonly #engine: Engine;

  constructor(ctx: DurableObjectState, env: CloudflareEnv) {
    super(ctx, env);
    this.#engine = new Engine(ctx, env);
    ctx.blockConcurrencyWhile(() => this.#engine.recover());
  }

  override async alarm(): Promise<void> {
    await this.#engine.wake();
  }

  async start(seed: ExecutionSeed): Promise<void> {
    // During a deployment the account's object may still run older code.
    this.#engine.start(executionSeed.parse(seed));
  }

  async status(accountId: string): Promise<StatusReply> {
    const own = this.#own(accountId);
    return own === null ? UNKNOWN : { kind: "found", state: statusView(own.seed, own.state) };
  }

  async waitForStatus(
    accountId: string,
    sinceVersion: number,
    waitSeconds: number,
  ): Promise<StatusReply> {
    const until = Date.now() + waitSeconds * 1_000;
    let own = this.#own(accountId);
    while (own !== null && own.state.version <= sinceVersion && !isFinal(own.state.status)) {
      const left = until - Date.now();
      if (left <= 0) break;
      await this.#engine.changes.settled(left);
      own = this.#own(accountId);
    }
    return this.status(accountId);
  }

  async task(accountId: string): Promise<TaskReply> {
    const own = this.#own(accountId);
    return own === null ? UNKNOWN : { kind: "found", task: taskView(own.seed) };
  }

  async result(accountId: string, { partial } = { partial: false }): Promise<ResultReply> {
    const own = this.#own(accountId);
    if (own === null) return UNKNOWN;
    const { seed, state } = own;
    if (!partial && !isFinal(state.status)) return { kind: "not_ready", status: state.status };
    const { store } = this.#engine;
    const work = { outputs: store.outputs.all(), effects: store.effects() };
    return { kind: "ready", result: resultView(seed, state, work) };
  }

  async message(accountId: string, command: MessageCommand): Promise<MessageReply> {
    const own = this.#own(accountId);
    return own === null ? UNKNOWN : acceptMessage(this.#engine, this.ctx.storage.sql, own, command);
  }

  async stop(
    accountId: string,
    command: { reason: string | null; ifVersion: number | null },
  ): Promise<StopReply> {
    const own = this.#own(accountId);
    if (own === null) return UNKNOWN;
    const { version } = own.state;
    if (command.ifVersion !== null && command.ifVersion !== version) {
      return { kind: "version_mismatch", version };
    }
    if (!isFinal(own.state.status)) this.#engine.commit((t) => stopByUser(t, command.reason));
    const { executionId, status, statusDetail, version: now } = statusView(own.seed, own.state);
    return { kind: "stopped", body: { executionId, status, statusDetail, version: now } };
  }

  async events(
    accountId: string,
    query: { after: number; limit: number; waitMs: number },
  ): Promise<EventsReply> {
    const until = Date.now() + query.waitMs;
    let own = this.#own(accountId);
    if (own === null) return UNKNOWN;
    const { store, changes } = this.#engine;
    while (own !== null && store.lastSeq() <= query.after && !isFinal(own.state.status)) {
      const left = until - Date.now();
      if (left <= 0) break;
      await changes.settled(left);
      own = this.#own(accountId);
    }
    if (own === null) return UNKNOWN;
    const events = store.events(query.after, query.limit);
    const read = events.at(-1)?.seq ?? query.after;
    return { kind: "found", events, closed: isFinal(own.state.status) && read >= store.lastSeq() };
  }

  async file(accountId: string, outputId: string): Promise<FileReply> {
    const own = this.#own(accountId);
    const { store } = this.#engine;
    const found =
      own === null ? undefined : store.outputs.all().find((item) => item.outputId === outputId);
    if (found === undefined || found.type !== "file") return UNKNOWN;
    const { mediaType, filename } = found;
    return {
      kind: "found",
      mediaType,
      filename: filename ?? outputId,
      bytes: store.outputs.bytes(outputId),
    };
  }

  async callbacks(accountId: string): Promise<CallbacksReply> {
    if (this.#own(accountId) === null) return UNKNOWN;
    return { kind: "found", log: this.#engine.callbacks.log() };
  }

  async redeliver(accountId: string, url: string | null): Promise<RedeliverReply> {
    const own = this.#own(accountId);
    if (own === null) return UNKNOWN;
    const { seed, state } = own;
    if (!isFinal(state.status)) return { kind: "not_ready", status: state.status };
    const target = url ?? seed.callback?.url ?? null;
    if (target === null) return { kind: "no_address" };
    await this.#engine.withCallbacks((callbacks) => callbacks.redeliver(seed, state, target));
    return { kind: "queued", log: this.#engine.callbacks.log() };
  }

  async beginDelivery(deliveryId: string, attempt: number): Promise<DeliveryOrder | null> {
    const { execution, store } = this.#engine;
    if (execution === null) return null;
    return this.#engine.withCallbacks((callbacks) =>
      callbacks.beginAttempt(deliveryId, attempt, { ...execution, store }),
    );
  }

  async endDelivery(deliveryId: string, attempt: number, report: DeliveryReport): Promise<void> {
    if (this.#engine.execution === null) return;
    await this.#engine.withCallbacks((callbacks) =>
      callbacks.endAttempt(deliveryId, attempt, report),
    );
  }

  /** Returns the execution if it belongs to this account, else null. */
  #own(accountId: string): { seed: ExecutionSeed; state: MachineState } | null {
    const { execution } = this.#engine;
    return execution !== null && execution.seed.accountId === accountId ? execution : null;
  }
}

const replyRow = z.object({ body_hash: z.string(), reply: z.string() });

/**
 * Accepts a message of the user. A repeat, recognised by its Idempotency-Key or its message id, returns
 * the first reply, even after the end, and changes nothing.
 */
function acceptMessage(
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
      queueMessage(t, { ...command, messageId });
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
  if (body === null) throw new Error("The commit of a message stored no reply.");
  return { kind: "accepted", replayed: false, body };
}

/** Returns the keys that recognise a repeat, each with the content that must match. */
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
