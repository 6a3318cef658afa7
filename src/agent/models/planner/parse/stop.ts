import type { Refusal } from "../program.ts";

/** Why the reading of instructions ends, with a question if an answer can mend it. */
export interface Stop {
  refusal: Refusal;
  question: string | null;
}

/** Returns a stop with a reason. */
export function stop(
  reason: string,
  options: { words?: string[]; question?: string; suggestion?: string } = {},
): Stop {
  const { words = [], question = null, suggestion = null } = options;
  return { refusal: { reason, understood: [], words, suggestion }, question };
}
