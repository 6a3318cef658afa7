import fc from "fast-check";
import { expect, it } from "vitest";
import { ModelError } from "../../../../src/contract/conversation.ts";
import { isFinal } from "../../../../src/contract/execution.ts";
import { INBOX_LIMIT } from "../../../../src/executions/machine/inbox.ts";
import { expire, stopByUser } from "../../../../src/executions/machine/lifecycle.ts";
import { recover, stepFailed } from "../../../../src/executions/machine/recovery.ts";
import {
  askUser,
  finish,
  modelFailed,
  modelReplied,
  replyDiscarded,
  toolReturned,
} from "../../../../src/executions/machine/replies.ts";
import { machineState } from "../../../../src/executions/machine/state.ts";
import type { Transition } from "../../../../src/executions/machine/transition.ts";
import { backoffMs } from "../../../../src/lib/async.ts";
import { callOf, found, NO_CHECKS, Play, replyOf, STEP_START } from "../../../support/execution.ts";

const kind = fc.constantFrom("read", "local", "effect", "ask", "finish");
type Kind = typeof kind extends fc.Arbitrary<infer T> ? T : never;

/** What may happen to an execution; which piece of work it happens to is chosen by `pick`. */
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant("go on" as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant("reply" as const),
      calls: fc.array(fc.record({ kind, approval: fc.boolean() }), { minLength: 1, maxLength: 8 }),
      tokens: fc.nat(100_000),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constant("return" as const),
      pick: fc.nat(),
      ok: fc.boolean(),
      violated: fc.boolean(),
    }),
  },
  fc.record({ what: fc.constant("unusable reply" as const) }),
  fc.record({ what: fc.constant("model failure" as const), retryable: fc.boolean() }),
  { weight: 2, arbitrary: fc.record({ what: fc.constant("message" as const) }) },
  fc.record({ what: fc.constant("interrupt" as const) }),
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant("decide" as const), approve: fc.boolean() }),
  },
  fc.record({ what: fc.constant("crash" as const) }),
  fc.record({ what: fc.constant("fault" as const) }),
  { weight: 2, arbitrary: fc.record({ what: fc.constant("time" as const), ms: fc.nat(8_000) }) },
  fc.record({ what: fc.constant("stop" as const), really: fc.nat(19).map((n) => n === 0) }),
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

const stories = fc.array(happening, { minLength: 10, maxLength: 100, size: "max" });

interface Work {
  generation: number;
  /** Null for the model's call. */
  callId: string | null;
  kind: Kind | null;
}

/** Lets happenings come over one execution, as the loop and the session would hand them on. */
class World {
  readonly play: Play;
  readonly effectStarts = new Map<string, number>();
  readonly queued: string[] = [];
  #work: Work[] = [];
  #ids = 0;
  #start = STEP_START;

  constructor(heldCredits: number) {
    this.play = new Play({ heldCredits, timeoutSeconds: 60, inputTimeoutSeconds: 60 });
  }

  meet(event: Happening): void {
    const { play } = this;
    if (event.what === "go on") this.#goOn();
    else if (event.what === "reply") this.#reply(event.calls, event.tokens);
    else if (event.what === "return") this.#return(event);
    else if (event.what === "unusable reply") this.#discard();
    else if (event.what === "model failure") this.#modelFails(event.retryable);
    else if (event.what === "message") this.#message("next_step");
    else if (event.what === "interrupt") this.#message("interrupt");
    else if (event.what === "decide") this.#decide(event.approve);
    else if (event.what === "crash") this.#crash();
    else if (event.what === "fault") this.#fault();
    else if (event.what === "time") {
      play.now += event.ms;
      play.commit((t) => expire(t, play.seed));
    } else if (event.really && !this.#ended()) play.commit((t) => stopByUser(t, null));
  }

  #crash(): void {
    const { play } = this;
    this.#work = [];
    play.commit((t) => recover(t, play.seed, backoffMs));
  }

  #fault(): void {
    const { play } = this;
    if (play.state.status === "active" && this.#work.length > 0) play.commit(stepFailed);
  }

  #discard(): void {
    const reply = { ...replyOf([]), start: this.#start };
    this.#takeModel((t) => replyDiscarded(t, reply, "It was empty."));
  }

  #modelFails(retryable: boolean): void {
    const error = new ModelError("busy", { retryable });
    this.#takeModel((t) => modelFailed(t, error, this.play.seed, 0));
  }

  #ended(): boolean {
    return isFinal(this.play.state.status);
  }

  /** The session runs one step after another, never two at once. */
  #goOn(): void {
    const { play } = this;
    const { generation } = play.state;
    if (this.#work.some((work) => work.generation === generation)) return;
    const what = play.next();
    if (what.do === "ask_model") {
      this.#start = what.start;
      this.#work.push({ generation: what.generation, callId: null, kind: null });
    }
    if (what.do !== "run_calls") return;
    for (const call of what.calls) {
      const ownKind = call.kind === "control" ? (call.tool as Kind) : call.kind;
      this.#work.push({ generation: what.generation, callId: call.callId, kind: ownKind });
      if (call.kind !== "effect") continue;
      this.effectStarts.set(call.callId, (this.effectStarts.get(call.callId) ?? 0) + 1);
    }
  }

  #reply(wanted: { kind: Kind; approval: boolean }[], tokens: number): void {
    const calls = wanted.map(({ kind: own, approval }) => {
      this.#ids += 1;
      const control = own === "ask" || own === "finish";
      return callOf(control ? "control" : own, `c${this.#ids}`, {
        needsApproval: approval && own === "effect",
        ...(control ? { tool: own } : {}),
      });
    });
    const usage = { inputTokens: tokens, outputTokens: 0, cachedTokens: 0 };
    this.#takeModel((t) =>
      modelReplied(t, { ...replyOf(calls), usage, start: this.#start }, calls),
    );
  }

  #takeModel(change: (t: Transition) => void): void {
    const work = this.#work.find(({ callId }) => callId === null);
    if (work !== undefined) this.#settle(work, change);
  }

  #return({ pick, ok, violated }: { pick: number; ok: boolean; violated: boolean }): void {
    const open = this.#work.filter(({ callId }) => callId !== null);
    const work = open[pick % Math.max(open.length, 1)];
    const callId = work?.callId;
    if (work === undefined || callId == null) return;
    const violations = violated ? [{ path: "", rule: "type", message: "wrong" }] : [];
    const failure = { answer: { ok: false as const, error: { code: "no", message: "no" } } };
    this.#settle(work, (t) => {
      if (work.kind === "ask") askUser(t, this.play.seed, callId, { question: "Which?" });
      else if (work.kind === "finish") {
        finish(t, callId, { status: "completed", summary: "done" }, { ...NO_CHECKS, violations });
      } else toolReturned(t, callId, ok ? found : failure);
    });
  }

  /** Under an old generation a result is dropped, as the loop drops it. */
  #settle(work: Work, change: (t: Transition) => void): void {
    this.#work = this.#work.filter((other) => other !== work);
    this.play.commit((t) => {
      if (t.state.generation === work.generation) change(t);
      else if (t.state.status === "active") t.event("log", { message: "dropped" });
    });
  }

  #message(mode: "next_step" | "interrupt"): void {
    const { play } = this;
    if (this.#ended() || play.state.inbox.length >= INBOX_LIMIT) return;
    const messageId = `m${this.queued.length}`;
    this.queued.push(messageId);
    play.message(messageId, { mode });
  }

  #decide(approve: boolean): void {
    const { question } = this.play.state;
    if (question?.kind !== "approval") return;
    const decision = approve ? "approve" : "deny";
    const approval = { callId: question.callId, decision } as const;
    this.play.message("decision", { text: null, approval });
  }
}

/** What must hold after every happening. */
function check(world: World, before: { version: number; wasFinal: boolean; events: number }): void {
  const { play } = world;
  const { state, seed } = play;
  const changed = state.version !== before.version;
  if (before.wasFinal) {
    expect(changed, "what is final never changes").toBe(false);
    expect(play.events.length, "nothing follows the final status").toBe(before.events);
  }
  expect(state.version - before.version).toBeLessThanOrEqual(1);
  if (play.events.length > before.events) expect(changed, "each event has its version").toBe(true);
  expect(state.creditsUsed, "credits stay within the hold").toBeLessThanOrEqual(seed.heldCredits);
  const asks = state.phase.kind === "waiting";
  expect(state.status === "waiting_for_input", "waiting and asking are one").toBe(asks);
  expect(state.question !== null).toBe(asks);
  for (const [callId, starts] of world.effectStarts) {
    expect(starts, `${callId} is tried once`).toBe(1);
  }
}

/** What must hold when all is over, or the story ends. */
function checkLog({ play, queued }: World): void {
  expect(machineState.parse(play.state), "the state can be stored and read").toEqual(play.state);
  const answered = play.turns.flatMap((turn) => (turn.role === "tool" ? [turn.callId] : []));
  expect(new Set(answered).size, "no call is answered twice").toBe(answered.length);
  const final = play.logged("status").filter(({ status }) => isFinalText(status));
  const ended = isFinal(play.state.status);
  expect(final).toHaveLength(ended ? 1 : 0);
  if (ended) expect(play.events.at(-1)?.data).toMatchObject({ status: play.state.status });
  const ids = (type: "message.applied" | "message.dropped") =>
    play.logged(type).map(({ messageId }) => messageId);
  const waiting = play.state.inbox.map(({ messageId }) => messageId);
  const accounted = [...ids("message.applied"), ...ids("message.dropped"), ...waiting];
  expect(accounted, "each message is read, dropped or waiting, in order").toEqual(queued);
  if (play.state.status === "completed") expect(ids("message.dropped")).toEqual([]);
}

const isFinalText = (status: unknown) =>
  status === "completed" || status === "failed" || status === "stopped";

it("holds its invariants for any events in any order", () => {
  fc.assert(
    fc.property(stories, fc.integer({ min: 1, max: 25 }), (story, heldCredits) => {
      const world = new World(heldCredits);
      for (const event of story) {
        const { state, events } = world.play;
        const before = {
          version: state.version,
          wasFinal: isFinal(state.status),
          events: events.length,
        };
        world.meet(event);
        check(world, before);
      }
      checkLog(world);
    }),
    { numRuns: 60 },
  );
});
