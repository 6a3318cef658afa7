import { relative } from "node:path";
import { ROOT } from "../local/project.ts";

/** Tells one step of the deployment, and what came of it. */
export type Tell = (step: string, what: string) => void;

/** On the terminal, as a line with the step in a column of its own. */
export const tellOnTerminal: Tell = (step, what) => {
  console.log(`${step.padEnd(12)}${what}`.trimEnd());
};

/** A path as the operator knows it: from the checkout's root, where it lies within. */
export function shown(path: string): string {
  const within = relative(ROOT, path);
  return within.startsWith("..") ? path : within;
}
