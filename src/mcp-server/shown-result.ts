import * as z from "zod";
import { type ExecutionResult, executionResult, output } from "../contract/execution.ts";

/** Characters of all values together: a result fills no more of a model's memory than a long page. */
const MAX_CHARACTERS = 40_000;

const shownOutput = z.object({
  ...output.shape,
  omittedCharacters: z
    .int()
    .optional()
    .describe("The value is left out because it is as long as this: ask get_result with outputId."),
});

/** A result as a model is shown it. */
export const shownResult = z.object({ ...executionResult.shape, outputs: z.array(shownOutput) });
export type ShownResult = z.infer<typeof shownResult>;

/** What of it is news to whoever waited for it. */
export const newsOfResult = shownResult.pick({
  presentedResult: true,
  outputs: true,
  effects: true,
  creditsConsumed: true,
  error: true,
});

/** The result with as many of its values as fit. */
export function shortened(result: ExecutionResult): ShownResult {
  let left = MAX_CHARACTERS;
  const outputs = result.outputs.map(({ value, ...rest }) => {
    if (value === undefined) return rest;
    const { length } = JSON.stringify(value);
    if (length > left) return { ...rest, omittedCharacters: length };
    left -= length;
    return { ...rest, value };
  });
  return { ...result, outputs };
}
