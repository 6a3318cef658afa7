import { once } from "node:events";
import { createInterface } from "node:readline";

/** Asks a question with yes or no on the terminal; anything but a yes is a no, and so is its end. */
export async function ask(question: string): Promise<boolean> {
  // Without a terminal of its own, so that Ctrl-C still ends the process.
  const lines = createInterface({ input: process.stdin, terminal: false });
  process.stdout.write(question);
  try {
    const ended = once(lines, "close").then(() => [""]);
    const [line] = await Promise.race([once(lines, "line"), ended]);
    return isYes(String(line));
  } finally {
    lines.close();
  }
}

/** Whether an answer is a yes. */
export function isYes(answer: string): boolean {
  return /^\s*y(?:es)?\s*$/i.test(answer);
}

/** Whether somebody can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}
