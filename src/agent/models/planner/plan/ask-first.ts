import type { ModelRequest, Turn } from "../../../../contract/conversation.ts";
import { ANSWER_INPUT, agrees, askingOf, withAnswer } from "./asking.ts";

const NOBODY_TO_ASK =
  "Nothing was done: the prompt wants something to be asked first, and in this run nobody can be asked.";
const NOT_ALLOWED = "Nothing was done: you did not agree to it.";

/** What comes first: a question of the prompt's own, or the request with its answer in place. */
export type AskedFirst =
  | { kind: "ask"; question: string }
  | { kind: "refuse"; reason: string }
  | { kind: "ready"; request: ModelRequest };

/** Sees to it that what the prompt wants to be asked is asked, before anything else is done. */
export function askFirst(request: ModelRequest): AskedFirst {
  const [first, ...turns] = request.turns;
  const asking = first?.role === "user" ? askingOf(first.text) : null;
  if (asking === null) return { kind: "ready", request };
  const asked = turns.findIndex(
    (turn) => turn.role === "assistant" && turn.calls.some(({ tool }) => tool === "ask_user"),
  );
  const may = request.interactive && request.tools.some(({ name }) => name === "ask_user");
  if (asked < 0) {
    const { question } = asking;
    return may ? { kind: "ask", question } : { kind: "refuse", reason: NOBODY_TO_ASK };
  }
  const answer = turns.find((turn, at) => at > asked && turn.role === "user");
  if (answer?.role !== "user") return { kind: "refuse", reason: NOBODY_TO_ASK };
  const others = turns.filter((turn) => turn !== answer);
  const ready = (text: string, rest: Turn[], inputs = request.inputs): AskedFirst => ({
    kind: "ready",
    request: { ...request, inputs, turns: [{ role: "user", text }, ...rest] },
  });
  if (asking.kind === "consent") {
    if (!agrees(answer.text)) return { kind: "refuse", reason: NOT_ALLOWED };
    return ready(asking.rest === "" ? "Say done" : asking.rest, others);
  }
  const said = answer.text.trim();
  const address = /https?:\/\//i.test(said);
  const text = address ? null : withAnswer(asking);
  if (text !== null) {
    const value = said === "" || Number.isNaN(Number(said)) ? said : Number(said);
    return ready(text, others, { ...request.inputs, [ANSWER_INPUT]: value });
  }
  const count = /^how many\b/i.test(asking.about) && /^\d+$/.test(said);
  const message: Turn = { role: "user", text: count ? `only the first ${said}` : answer.text };
  const rest = turns.map((turn) => (turn === answer ? message : turn));
  return ready(asking.rest === "" ? "Open this page." : asking.rest, rest);
}
