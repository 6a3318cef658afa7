import fc from "fast-check";
import { expect, it } from "vitest";
import type { ToolCall } from "../../../src/contract/conversation.ts";
import { isFinal } from "../../../src/contract/execution.ts";
import { type Incident, MortalExecution, type Script } from "../../support/mortal.ts";

const SHOP = "https://shop.example";
const read = (callId: string): ToolCall => ({
  callId,
  tool: "browse",
  input: { url: `${SHOP}/pages/${callId}` },
});
const order = (callId: string, path = "orders"): ToolCall => ({
  callId,
  tool: "http_request",
  input: { method: "POST", url: `${SHOP}/${path}/${callId}` },
});
const broken = (callId: string) => order(callId, "broken");
const refused = (callId: string) => order(callId, "refused");
const note = (callId: string): ToolCall => ({
  callId,
  tool: "emit_output",
  input: { label: callId, type: "text", value: "noted" },
});
const unknown = (callId: string): ToolCall => ({ callId, tool: "dance", input: {} });
const withEnd = (callId: string): ToolCall => ({
  callId,
  tool: "finish",
  input: { summary: "Done in one go." },
});

const ASK = { approvals: ["http_request" as const] };
const SCRIPTS: Record<string, Script> = {
  "several effects in one reply": { replies: [[order("a"), order("b")]] },
  "an effect among reads and outputs": {
    replies: [[read("a"), read("b"), order("c"), note("d")], [order("e")]],
  },
  "effects that break off, are refused, or unknown": {
    replies: [[broken("a"), refused("b"), unknown("c"), order("d")]],
  },
  "an effect and the end in one reply": { replies: [[order("a"), withEnd("b")]] },
  "the end before an effect in one reply": { replies: [[withEnd("a"), order("b")]] },
  "an empty reply between effects": { replies: [[order("a")], [], [order("b")]] },
  "approvals, one denied": {
    replies: [[order("a"), order("b")]],
    seed: ASK,
    denied: ["a"],
  },
  "a budget that ends in the middle": {
    replies: [
      [order("a"), order("b")],
      [order("c"), order("d")],
    ],
    seed: { heldCredits: 5 },
  },
};

async function lived(script: Script, incidents: Incident[] = []): Promise<MortalExecution> {
  const execution = new MortalExecution(script, incidents);
  await execution.live();
  return execution;
}

/** What holds whatever happened. */
function expectHonest({ play, acts, underWay }: MortalExecution): void {
  const { state, seed } = play;
  expect(isFinal(state.status)).toBe(true);
  expect(state.creditsUsed).toBeLessThanOrEqual(seed.heldCredits);

  const answered = play.turns.flatMap((turn) => (turn.role === "tool" ? [turn.callId] : []));
  expect(new Set(answered).size, "no call is answered twice").toBe(answered.length);
  const asked = play.turns.flatMap((turn) => (turn.role === "assistant" ? turn.calls : []));
  expect(new Set(asked.map(({ callId }) => callId)).size, "no reply is taken twice").toBe(
    asked.length,
  );

  const actsOf = (callId: string) => acts.filter(({ url }) => url.endsWith(`/${callId}`));
  for (const { url, idempotencyKey } of acts) {
    const callId = url.slice(url.lastIndexOf("/") + 1);
    expect(actsOf(callId), `${callId} is done once`).toHaveLength(1);
    expect(idempotencyKey).toBe(`${seed.executionId}:${callId}`);
    expect(play.effects.has(callId), `${callId} is in the ledger`).toBe(true);
  }
  for (const [callId, ledgered] of play.effects) {
    const [answer = "none"] = play.answers(callId);
    if (ledgered === "confirmed") {
      expect(actsOf(callId)).toHaveLength(1);
      expect(answer).toBe("ok");
    } else if (ledgered === "failed") {
      expect(actsOf(callId)).toHaveLength(0);
      expect(answer).toBe("address_refused");
    } else {
      const isKnown = !underWay.has(callId) && !actsOf(callId)[0]?.url.includes("broken");
      expect(isKnown, `${callId} is called uncertain although it is known`).toBe(false);
      // After a stop there is nobody left to be told.
      expect(answer).toBe(state.status === "stopped" ? answer : "uncertain");
    }
  }
}

/** What holds when nobody broke in: all calls were asked for, and each has its one answer. */
function expectComplete(execution: MortalExecution, { replies, denied = [] }: Script): void {
  const { play, requests, underWay } = execution;
  const { usage, creditsUsed, stepsCompleted, status } = play.state;
  expect(status).toBe("completed");
  for (const { callId, tool, input } of replies.flat()) {
    if (tool === "finish") continue;
    expect(play.answers(callId), callId).toHaveLength(1);
    if (tool !== "http_request") continue;
    const url = String((input as { url?: unknown }).url);
    const [answer] = play.answers(callId);
    if (denied.includes(callId)) {
      expect(answer).toBe("denied");
      expect(play.effects.get(callId)).toBeUndefined();
    } else if (underWay.has(callId)) {
      expect(play.effects.get(callId), "what was under way is not known").toBe("uncertain");
      const told = requests
        .at(-1)
        ?.turns.some((turn) => "callId" in turn && turn.callId === callId);
      expect(told, `the model is told of ${callId}`).toBe(true);
    } else if (url.startsWith(`${SHOP}/orders/`)) {
      expect(play.effects.get(callId), "what was not begun is done").toBe("confirmed");
    }
  }
  expect(creditsUsed).toBe(usage.modelSteps + usage.toolCalls);
  const steps = Array.from({ length: stepsCompleted }, (_, n) => n + 1);
  expect(play.logged("step.started").map(({ step }) => step)).toEqual(steps);
  expect(play.logged("step.finished").map(({ step }) => step)).toEqual(steps);
}

/** How far apart two accidents are tried: as many boundaries as the recovery from the first one has, and one more. */
const APART = 3;
/** The boundaries after this one at which a second accident is tried. */
const soonAfter = (first: number, { boundaries }: MortalExecution) =>
  Array.from({ length: Math.min(APART, boundaries - first) }, (_, n) => first + n + 1);

const everyBoundary = async (script: Script) =>
  Array.from({ length: (await lived(script)).boundaries }, (_, n) => n + 1);

for (const [name, script] of Object.entries(SCRIPTS)) {
  const inBudget = script.seed?.heldCredits === undefined;

  it(`survives a crash at every boundary, and two crashes in a row: ${name}`, async () => {
    for (const first of await everyBoundary(script)) {
      const once = await lived(script, [{ at: first, what: "kill" }]);
      expectHonest(once);
      if (inBudget) expectComplete(once, script);
      for (const second of soonAfter(first, once)) {
        const kills = [first, second].map((at) => ({ at, what: "kill" as const }));
        const twice = await lived(script, kills);
        expectHonest(twice);
        if (inBudget) expectComplete(twice, script);
      }
    }
  });

  it(`obeys a stop and an interrupt at every boundary, with and without a crash after it: ${name}`, async () => {
    for (const at of await everyBoundary(script)) {
      for (const what of ["stop", "interrupt"] as const) {
        const once = await lived(script, [{ at, what }]);
        if (once.intrusions === 0) continue;
        expectHonest(once);
        for (const second of soonAfter(at, once)) {
          expectHonest(
            await lived(script, [
              { at, what },
              { at: second, what: "kill" },
            ]),
          );
        }
      }
    }
  });
}

const anyCall = fc.constantFrom(read, order, broken, refused, note, unknown);
const anyReplies = fc.array(fc.array(anyCall, { minLength: 1, maxLength: 6 }), { maxLength: 4 });
const anyIncidents = fc.array(
  fc.record({
    at: fc.integer({ min: 1, max: 120 }),
    what: fc.constantFrom("kill" as const, "kill" as const, "interrupt" as const, "stop" as const),
  }),
  { maxLength: 6 },
);

it("holds these invariants for random calls, answers and crashes", async () => {
  await fc.assert(
    fc.asyncProperty(
      anyReplies,
      anyIncidents,
      fc.boolean(),
      fc.integer({ min: 1, max: 40 }),
      async (wanted, incidents, ask, heldCredits) => {
        const replies = wanted.map((calls, step) => calls.map((make, n) => make(`${step}.${n}`)));
        const seed = { heldCredits, ...(ask ? ASK : {}) };
        expectHonest(await lived({ replies, seed, denied: ["0.0", "1.1"] }, incidents));
      },
    ),
    { numRuns: 100 },
  );
});
