import { version } from "../../package.json";
import { type Command, start } from "./command.ts";
import { credits, keys } from "./commands/account.ts";
import { list, message, result, status, stop, watch } from "./commands/executions.ts";
import { trigger } from "./commands/trigger.ts";
import { endpoints, replay, tail } from "./commands/webhooks.ts";
import { run, workflows } from "./commands/workflows.ts";
import { EXIT, type Exit, tellFailure, UsageError } from "./errors.ts";
import { groupHelp, helpOf, overview } from "./help.ts";
import type { Terminal } from "./terminal.ts";

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

/** Does what a command line says; answers the exit code. */
export async function program(argv: string[], terminal: Terminal): Promise<Exit> {
  try {
    const help = helpAskedFor(argv);
    if (help !== null) {
      terminal.stdout.write(`${help}\n`);
      return EXIT.done;
    }
    return await started(commandIn(argv), terminal);
  } catch (error) {
    if (terminal.interrupted.aborted) {
      terminal.stderr.write("Interrupted. What was asked for may have been done all the same.\n");
      return EXIT.interrupted;
    }
    return tellFailure(error, terminal, argv.includes("--json"));
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

function helpAskedFor(argv: string[]): string | null {
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

/** What stands behind `--` is text, whatever it looks like. */
function asksForHelp(argv: string[]): boolean {
  const end = argv.indexOf("--");
  const options = end < 0 ? argv : argv.slice(0, end);
  return options.includes("--help") || options.includes("-h");
}

interface Found {
  command: Command;
  /** What stands after its name. */
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
    throw new UsageError(`Which? There are: ${names.join(", ")}.`);
  }
  throw new UsageError(`There is no command "${first}".`);
}

/** The commands of two words that begin with this one. */
function groupOf(word: string): Command[] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${word} `));
}
