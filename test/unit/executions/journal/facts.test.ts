import { expect, it } from "vitest";
import type { Turn } from "../../../../src/contract/conversation.ts";
import { storedTurn } from "../../../../src/contract/conversation.ts";
import { STEP_START } from "../../../support/execution.ts";

const metadata = { google: { thoughtSignature: "sig" } };

it("keeps all parts of a reply and of a call's answer that the model needs again", () => {
  const turn: Turn = {
    role: "assistant",
    text: "I look.",
    calls: [{ callId: "c1", tool: "browse", input: { url: "a" }, metadata }],
    plan: ["Open a"],
    reasoning: [{ text: "Hm." }, { text: "So.", metadata }],
    start: STEP_START,
    fault: "It was cut off.",
  };
  const answer = { ok: true, content: "page" } as const;
  const told: Turn = { role: "tool", callId: "c1", tool: "browse", answer, note: "It failed." };
  for (const each of [turn, told]) {
    expect(storedTurn.parse(JSON.parse(JSON.stringify(each)))).toEqual(each);
  }
});

it("reads a reply that older code stored", () => {
  const turn = {
    role: "assistant",
    text: "",
    calls: [{ callId: "c1", tool: "browse", input: {} }],
  };
  expect(storedTurn.parse(turn)).toEqual(turn);
});
