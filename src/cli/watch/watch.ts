import type { TriggerAccepted } from "../../contract/account.ts";
import type { ExecutionEvent } from "../../contract/events.ts";
import type { Call } from "../command.ts";
import { EXIT, type Exit, exitAfter, exitOf } from "../errors.ts";
import { countOf } from "../text.ts";
import { howToAnswer, Progress } from "./progress.ts";
import { resultText } from "./result-text.ts";

/** Says that a run was started and, with --watch, follows it to its end. */
export async function started(call: Call, accepted: TriggerAccepted): Promise<Exit> {
  const { output, given } = call;
  const { executionId, availableCredits } = accepted;
  if (!given.flag("watch")) {
    output.say(accepted, () => executionId);
    output.note(`Follow it with: prompthook watch ${executionId}`);
    return EXIT.done;
  }
  if (output.isJson) output.say(accepted, String);
  else output.note(`${executionId}  ${countOf(availableCredits, "credit")} left`);
  return watch(call, executionId);
}

/** Follows a run to its end and says what came out. Ctrl-C ends the watching, not the run. */
export async function watch(call: Call, executionId: string): Promise<Exit> {
  const { client, output, signal } = call;
  try {
    await follow(call, executionId);
    const result = await client.executions.result(executionId, {}, { signal });
    output.say(result, (one) => resultText(one, output));
    return exitAfter(result.status);
  } catch (error) {
    if (signal.aborted) {
      output.note(`Watching has ended; the run goes on.\n${waysOn(executionId)}`);
      return EXIT.interrupted;
    }
    if (exitOf(error) === EXIT.unavailable && !output.isJson) {
      output.note(`Watching has ended; what was accepted goes on.\n${waysOn(executionId)}`);
    }
    throw error;
  }
}

function waysOn(executionId: string): string {
  return `  Watch it again: prompthook watch ${executionId}
  Stop it:        prompthook stop ${executionId}`;
}

async function follow({ client, output, signal }: Call, executionId: string): Promise<void> {
  const progress = output.isJson ? null : new Progress(output.terminal);
  const show = (event: ExecutionEvent) => {
    if (progress === null) return output.say(event, String);
    progress.show(event);
    const answer = howToAnswer(executionId, event);
    if (answer !== null) progress.note(answer);
  };
  try {
    for await (const event of client.executions.stream(executionId, { signal })) show(event);
  } finally {
    progress?.close();
  }
}
