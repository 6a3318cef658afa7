import type { JsonObject } from "../../../../contract/json.ts";
import type { Instruction, Understanding } from "../program.ts";
import { withInputValues } from "../text/named-inputs.ts";
import { MAX_TOKENS, type Token, tokenize } from "../text/tokens.ts";
import { answeredAddresses, firstQuestion, instructionTexts } from "./answers.ts";
import { readDirectly } from "./direct.ts";
import { type Stop, stop } from "./draft-state.ts";
import { Drafter } from "./drafter.ts";

/** Returns the tokens of each instruction that does not answer a question. */
export function tokensOf(
  instructions: readonly Instruction[],
  inputs: JsonObject | null,
): Token[][] {
  return instructionTexts(instructions).map((text) =>
    withInputValues(tokenize(text, inputs), inputs),
  );
}

/** Reads the instructions before anything is opened: what to read, what to do outside, what is asked. */
export function understand(instructions: Instruction[], inputs: JsonObject | null): Understanding {
  const first = firstQuestion(instructions);
  if (first !== null && first.text === null) {
    const reason = `The prompt wants an answer to "${first.question}" first, and this execution cannot ask.`;
    return refused(stop(reason, { question: first.question }));
  }
  const [prompt = [], ...messages] = tokensOf(instructions, inputs);
  if (prompt.length > MAX_TOKENS) {
    return refused(stop(`The prompt is too long: this model reads up to ${MAX_TOKENS} words.`));
  }
  const [text = ""] = instructionTexts(instructions);
  const direct = messages.length === 0 ? readDirectly(prompt, text, inputs === null) : null;
  if (direct !== null) return direct;
  const answered = answeredAddresses(instructions);
  const drafter = new Drafter([prompt, ...messages], inputs, answered);
  const stopped = drafter.read();
  if (drafter.isStopped) return { kind: "stopped" };
  if (stopped !== null) return refused(stopped, drafter.says());
  return { kind: "draft", draft: drafter.draft() };
}

function refused({ refusal, question }: Stop, understood: string[] = []): Understanding {
  const whole = { ...refusal, understood };
  if (question === null) return { kind: "refused", refusal: whole };
  return { kind: "ask", question: { text: question, choices: [] }, refusal: whole };
}
