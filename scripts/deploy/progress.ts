import { relative } from "node:path";
import { ROOT } from "../local/project.ts";

/** Reports a step of the deployment and its outcome. */
export type Report = (step: string, outcome: string) => void;

/** Prints the step and its outcome in two columns. */
export const printStep: Report = (step, outcome) => {
  console.log(`${step.padEnd(12)}${outcome}`.trimEnd());
};

/** Returns a path relative to the checkout's root when it lies within. */
export function shown(path: string): string {
  const within = relative(ROOT, path);
  return within.startsWith("..") ? path : within;
}
