import type { Instruction } from "../program.ts";

/** A prompt that asks its own question first: "Ask me which page to open, then list its headings." */
const ASKS_FIRST =
  /^\s*(?:first,? |please )*ask me (?<question>[^,.;\n]{3,200}?)(?:,? (?:and )?then |[.;]\s+(?:then )?)(?<rest>\S[\s\S]*)$/i;

/** What is asked before a prompt is read. */
export interface FirstQuestion {
  question: string;
  /** The prompt with the answer in place of the question; null while there is none. */
  text: string | null;
}

/** Returns the question that a prompt has asked first, with its answer if it was given. */
export function firstQuestion(instructions: readonly Instruction[]): FirstQuestion | null {
  const prompt = instructions.find(({ answers }) => answers === null);
  const { question = "", rest = "" } = ASKS_FIRST.exec(prompt?.text ?? "")?.groups ?? {};
  if (question === "" || rest === "") return null;
  const asked = `${question.charAt(0).toUpperCase()}${question.slice(1)}?`;
  const answer = instructions.find(({ answers }) => answers === asked)?.text.trim();
  return { question: asked, text: answer === undefined ? null : `${answer}\n${rest}` };
}

/** Returns the texts that are instructions: the prompt, with what it had asked, and the messages. */
export function instructionTexts(instructions: readonly Instruction[]): string[] {
  const [prompt = "", ...messages] = instructions
    .filter(({ answers }) => answers === null)
    .map(({ text }) => text);
  return [firstQuestion(instructions)?.text ?? prompt, ...messages];
}

/** Returns the e-mail addresses in answers to questions. */
export function answeredAddresses(instructions: readonly Instruction[]): string[] {
  return instructions.flatMap(({ text, answers }) =>
    answers === null ? [] : (text.match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g) ?? []),
  );
}
