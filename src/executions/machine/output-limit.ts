import type { TracedResult } from "../../agent/tools/cuts.ts";
import { storedBytes } from "../../agent/tools/text.ts";
import type { NewOutput } from "../../agent/tools/tool.ts";
import { failedAnswer } from "../../contract/tools/call.ts";
import type { MachineState } from "./state.ts";

/**
 * The values of all outputs of an execution. A result is one call between objects, which takes 32 MiB, of
 * text with two bytes for each character; it has the data of `finish` as well.
 */
const MAX_OUTPUTS_BYTES = 8 * 1_024 * 1_024;
/** What an output takes besides its value. */
const OUTPUT_BYTES = 1_024;

const FULL = failedAnswer(
  "invalid_input",
  "The outputs of this execution have 8 MiB, which is the most. Nothing was added. Output less, or write the values to a file.",
);

/** Returns what a tool returned, or an error in its place if its outputs are more than the execution may have. */
export function withinOutputLimit(
  state: MachineState,
  result: TracedResult,
): TracedResult & { outputBytes: number } {
  const { outputs = [] } = result;
  const outputBytes = outputs.reduce((sum, output) => sum + bytesOf(output), 0);
  if (outputBytes === 0 || state.outputBytes + outputBytes <= MAX_OUTPUTS_BYTES) {
    return { ...result, outputBytes };
  }
  return { answer: FULL, outputBytes: 0 };
}

/** The bytes of a file are stored apart, and read one by one. */
function bytesOf({ value = null }: NewOutput): number {
  return OUTPUT_BYTES + storedBytes(value);
}
