import { version } from "../../package.json";
import { type Command, start } from "./command.ts";
import { api, credits, keys } from "./commands/account.ts";
import { fork, retry } from "./commands/again.ts";
import { compareCommand } from "./commands/compare.ts";
import { decisions } from "./commands/decisions.ts";
import { destinations } from "./commands/destinations.ts";
import { list, message, result, status, stop, watch } from "./commands/executions.ts";
import { files } from "./commands/files.ts";
import { models } from "./commands/models.ts";
import { rehearse } from "./commands/rehearse.ts";
import { trigger } from "./commands/trigger.ts";
import { createEndpoint, endpoints, replay, tail } from "./commands/webhooks.ts";
import { createWorkflow, run, workflows } from "./commands/workflows.ts";
import { EXIT, type Exit, reportError, UsageError } from "./errors.ts";
import { groupHelp, helpOf, overview } from "./help.ts";
import type { Terminal } from "./terminal.ts";

/** All commands, in the order of the overview. */
export const COMMANDS: readonly Command[] = [
  trigger,
  createWorkflow,
  workflows,
  rehearse,
  run,
  watch,
  list,
  status,
  result,
  message,
  stop,
  fork,
  retry,
  compareCommand,
  ...decisions,
  createEndpoint,
  endpoints,
  tail,
  replay,
  ...files,
  ...keys,
  ...destinations,
  ...models,
  credits,
  api,
];

/** Runs a command line and returns the exit code. */
export async function program(argv: string[], terminal: Terminal): Promise<Exit> {
  try {
    const help = requestedHelp(argv);
    if (help !== null) {
      terminal.stdout.write(`${help}\n`);
      return EXIT.done;
    }
    return await started(commandIn(argv), terminal);
  } catch (error) {
    if (terminal.interrupted.aborted) {
      terminal.stderr.write("Interrupted. The request may still have taken effect.\n");
      return EXIT.interrupted;
    }
    return reportError(error, terminal, argv.includes("--json"));
  }
}

async function started({ command, rest }: Found, terminal: Terminal): Promise<Exit> {
  try {
    return await start(command, rest, terminal);
  } catch (error) {
    if (error instanceof UsageError) error.command = command.name;
    throw error;
  }
}

function requestedHelp(argv: string[]): string | null {
  if (argv.includes("--version") && argv.length === 1) return version;
  const words = argv.filter((word) => !["--help", "-h", "help"].includes(word));
  const isAsked = argv.length === 0 || argv[0] === "help" || asksForHelp(argv);
  if (!isAsked) return null;
  const [first] = words;
  if (first === undefined) return overview(COMMANDS);
  const group = groupOf(first);
  const found = find(words) ?? null;
  if (found !== null) return helpOf(found.command);
  return group.length === 0 ? overview(COMMANDS) : groupHelp(first, group);
}

/** Arguments after `--` are text, even if they look like options. */
function asksForHelp(argv: string[]): boolean {
  const end = argv.indexOf("--");
  const options = end < 0 ? argv : argv.slice(0, end);
  return options.includes("--help") || options.includes("-h");
}

interface Found {
  command: Command;
  /** The arguments after its name. */
  rest: string[];
}

function find(argv: string[]): Found | undefined {
  for (const command of COMMANDS) {
    const words = command.name.split(" ");
    if (words.every((word, index) => argv[index] === word)) {
      return { command, rest: argv.slice(words.length) };
    }
  }
  return undefined;
}

function commandIn(argv: string[]): Found {
  const found = find(argv);
  if (found !== undefined) return found;
  const [first = ""] = argv;
  if (groupOf(first).length > 0) {
    const names = groupOf(first).map(({ name }) => name);
    throw new UsageError(`Choose a command: ${names.join(", ")}.`);
  }
  throw new UsageError(`Unknown command "${first}".`);
}

/** Returns the two-word commands that start with this word. */
function groupOf(word: string): Command[] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${word} `));
}
