import type { TriggerAccepted } from "../../contract/account.ts";
import type { ExecutionEvent } from "../../contract/events.ts";
import type { Call } from "../command.ts";
import { EXIT, type Exit, exitAfter, exitOf } from "../errors.ts";
import type { Options } from "../options.ts";
import { countOf } from "../text.ts";
import { howToAnswer, Progress } from "./progress.ts";
import { resultText } from "./result-text.ts";

/** The options of commands that start one execution. */
export const STARTING: Options = {
  watch: { short: "w", help: "follow it to its end; the exit code reflects its status" },
  "idempotency-key": { value: "KEY", help: "start only one execution for the same key" },
};

/** Returns the options of a call that must not act twice. */
export const onceOf = ({ values, signal }: Call) => ({
  idempotencyKey: values.text("idempotency-key"),
  signal,
});

/** Prints an accepted execution and, with --watch, follows it to its end. */
export async function started(call: Call, accepted: TriggerAccepted): Promise<Exit> {
  const { output, values } = call;
  const { executionId, availableCredits } = accepted;
  if (!values.flag("watch")) {
    output.print(accepted, () => executionId);
    output.note(`Follow it with: prompthook watch ${executionId}`);
    return EXIT.done;
  }
  if (output.isJson) output.print(accepted, String);
  else output.note(`${executionId}  ${countOf(availableCredits, "credit")} left`);
  return watch(call, executionId);
}

/** Follows an execution to its end and prints its result. Ctrl-C ends the watching, not the execution. */
export async function watch(call: Call, executionId: string): Promise<Exit> {
  const { client, output, signal } = call;
  try {
    await follow(call, executionId);
    const result = await client.executions.result(executionId, {}, { signal });
    output.print(result, (one) => resultText(one, output));
    return exitAfter(result.status);
  } catch (error) {
    if (signal.aborted) {
      output.note(`Stopped watching; the execution continues.\n${nextCommands(executionId)}`);
      return EXIT.interrupted;
    }
    if (exitOf(error) === EXIT.unavailable && !output.isJson) {
      output.note(`Stopped watching; the execution continues.\n${nextCommands(executionId)}`);
    }
    throw error;
  }
}

function nextCommands(executionId: string): string {
  return `  Watch it again: prompthook watch ${executionId}
  Stop it:        prompthook stop ${executionId}`;
}

async function follow({ client, output, signal }: Call, executionId: string): Promise<void> {
  const progress = output.isJson ? null : new Progress(output.terminal);
  const show = (event: ExecutionEvent) => {
    if (progress === null) return output.print(event, String);
    progress.show(event);
    const answer = howToAnswer(executionId, event);
    if (answer !== null) progress.note(answer);
  };
  const onText = (text: string) => progress?.say(text);
  for await (const event of client.executions.stream(executionId, { signal, onText })) show(event);
}
