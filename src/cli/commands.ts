import type { Command } from "./command.ts";
import { credits } from "./commands/credits.ts";
import { keys } from "./commands/keys.ts";
import { list, message, result, status, stop, watch } from "./commands/runs.ts";
import { trigger } from "./commands/trigger.ts";
import { endpoints, replay, tail } from "./commands/webhooks.ts";
import { run, workflows } from "./commands/workflows.ts";

/** What the program can do, in the order of its help. */
export const COMMANDS: readonly Command[] = [
  trigger,
  workflows,
  run,
  watch,
  list,
  status,
  result,
  message,
  stop,
  endpoints,
  tail,
  replay,
  ...keys,
  credits,
];
