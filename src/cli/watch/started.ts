import type { TriggerAccepted } from "../../contract/account.ts";
import type { Call } from "../command.ts";
import { EXIT, type Exit } from "../exit.ts";
import { countOf } from "../text.ts";
import { watch } from "./watch.ts";

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
