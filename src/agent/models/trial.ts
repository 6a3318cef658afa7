import { type Model, ModelError, type ModelRequest } from "../../contract/conversation.ts";
import type { ModelTrial } from "../../contract/models.ts";

/**
 * Tries a model with one call that offers it one tool, as executions send theirs. `clock` returns epoch
 * milliseconds.
 */
export async function tryModel(
  model: Model,
  timeoutMs: number,
  clock: () => number,
): Promise<ModelTrial> {
  const begun = clock();
  const result = (ok: boolean, message: string) => ({ ok, message, durationMs: clock() - begun });
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const { calls } = await model.respond(request(begun), limit);
    return calls.some(({ tool, fault }) => tool === TOOL && fault === undefined)
      ? result(true, "It works: it called the tool that it was offered.")
      : result(false, "It does not call tools: it answered without the one that it was offered.");
  } catch (error) {
    if (limit.aborted) {
      return result(false, `It is too slow: no reply within ${timeoutMs / 1_000} seconds.`);
    }
    if (error instanceof ModelError) return result(false, error.message);
    throw error;
  }
}

const TOOL = "finish";

const request = (now: number): ModelRequest => ({
  inputs: null,
  outputSchema: null,
  interactive: false,
  turns: [{ role: "user", text: "Test the connection: call finish with the summary OK." }],
  tools: [
    {
      name: TOOL,
      description: "Ends the task with a summary.",
      inputSchema: {
        type: "object",
        properties: { summary: { type: "string", description: "What was done." } },
        required: ["summary"],
        additionalProperties: false,
      },
    },
  ],
  now: new Date(now),
  start: { at: now, step: 1, stepsLeft: 1, creditsLeft: 1, stepPrice: 0, secondsLeft: 60 },
});
