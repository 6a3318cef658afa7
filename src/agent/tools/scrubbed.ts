import { mapTexts } from "../../lib/json-values.ts";
import type { SecretScrubber } from "../../lib/secret-forms.ts";
import type { NewOutput, ToolResult } from "./tool.ts";
import type { Toolset } from "./toolset.ts";

/**
 * Removes the values of the execution's connections, and lone surrogates, from all that its tools return,
 * before it is stored. The responses were scrubbed as bytes; decoding them can bring a secret to light again.
 */
export function scrubbed(tools: Toolset, scrubber: () => Promise<SecretScrubber>): Toolset {
  return {
    ...tools,
    async run(name, input, context) {
      const { text: scrub, bytes } = await scrubber();
      const text = (given: string) => scrub(given).toWellFormed();
      const onProgress = (message: string) => context.onProgress(text(message));
      return scrubResult(await tools.run(name, input, { ...context, onProgress }), { text, bytes });
    },
  };
}

function scrubResult(result: ToolResult, scrubber: SecretScrubber): ToolResult {
  const { answer, url, outputs } = result;
  const { text } = scrubber;
  return {
    ...result,
    answer: answer.ok
      ? { ...answer, content: mapTexts(answer.content, text) }
      : { ...answer, error: { ...answer.error, message: text(answer.error.message) } },
    ...(url !== undefined && { url: text(url) }),
    ...(outputs !== undefined && { outputs: outputs.map((each) => scrubOutput(each, scrubber)) }),
  };
}

function scrubOutput(output: NewOutput, { text, bytes }: SecretScrubber): NewOutput {
  return {
    ...output,
    label: text(output.label),
    ...(output.value !== undefined && { value: mapTexts(output.value, text) }),
    ...(output.url !== undefined && { url: text(output.url) }),
    ...(output.filename !== undefined && { filename: text(output.filename) }),
    ...(output.bytes !== undefined && { bytes: bytes(output.bytes, false) }),
  };
}
