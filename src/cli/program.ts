import { version } from "../../package.json";
import { COMMON, type Command, calling, type Option, start, suggestion } from "./command.ts";
import { api, credits, login } from "./commands/account.ts";
import { rehearse, replay, retry } from "./commands/again.ts";
import { decisions } from "./commands/decisions.ts";
import { destinations } from "./commands/destinations.ts";
import { endpoints, send } from "./commands/endpoints.ts";
import {
  compareCommand,
  list,
  message,
  result,
  status,
  stop,
  watch,
} from "./commands/executions.ts";
import { files } from "./commands/files.ts";
import { models } from "./commands/models.ts";
import { run, trigger, workflows } from "./commands/trigger.ts";
import { EXIT, type Exit, reportError, UsageError } from "./errors.ts";
import { tailCommand } from "./tail.ts";
import { columns, type Terminal } from "./terminal.ts";

/** Each shell asks the program what can follow the words before the cursor. */
const SCRIPTS: Record<string, string> = {
  bash: `_prompthook() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(prompthook complete "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _prompthook prompthook`,
  zsh: `#compdef prompthook
_prompthook() {
  local -a found
  found=(\${(f)"$(prompthook complete "\${(@)words[2,CURRENT-1]}")"})
  compadd -a found || _files
}
compdef _prompthook prompthook`,
  fish: `complete -c prompthook -a '(prompthook complete (commandline -opc)[2..])'`,
};

/** Returns what can follow these words of a command line: names of commands, and options. */
function candidates(given: readonly string[]): string[] {
  const names = COMMANDS.map(({ name }) => name.split(" "));
  const next = names.flatMap((words) => {
    const isBegun = given.length < words.length && given.every((word, at) => word === words[at]);
    return isBegun ? [words[given.length] ?? ""] : [];
  });
  const command = find(given);
  const options = command === undefined ? {} : { ...command.options, ...COMMON };
  return [...new Set(next), ...Object.keys(options).map((name) => `--${name}`)];
}

const completion = calling({
  name: "completion",
  summary: "Print the completion of commands and options for a shell",
  args: ["shell"],
  notes: `For bash: source <(prompthook completion bash)
For zsh:  source <(prompthook completion zsh)
For fish: prompthook completion fish | source`,
  async ask(_, shell) {
    const script = SCRIPTS[shell];
    if (script !== undefined) return { shell, script };
    throw new UsageError(`Choose a shell: ${Object.keys(SCRIPTS).join(", ")}.`);
  },
  text: ({ script }) => script,
});

const rowsOf = (commands: readonly Command[]): string =>
  columns(commands.map((command) => [`  ${invocation(command)}`, command.summary]));

/** Returns the overview of all commands. */
function overview(): string {
  return `Starts and follows agents on a Prompthook service, and shows the webhooks it receives.

Usage: prompthook <command> [options]

${rowsOf(COMMANDS)}

Settings:
  PROMPTHOOK_URL      base URL of the service (npm start prints it)
  PROMPTHOOK_API_KEY  your API key
  PROMPTHOOK_PROFILE  name of a profile: of login, or of prompthook.json

Exit codes:
  0    success; with --watch, the execution completed
  1    the execution failed or was stopped; a rehearsal or the test of a model failed
  2    invalid command line or settings; nothing happened
  3    the service refused the request; with apply --dry-run or diff, there are differences
  4    the service is unreachable or overloaded
  130  interrupted; a watched execution continues

Run prompthook <command> --help for details.`;
}

/** Returns the help of one command. */
function helpOf(command: Command): string {
  const parts = [
    `${command.summary}.`,
    `Usage: prompthook ${invocation(command)}${command.options === undefined ? "" : " [options]"}`,
    ...(command.notes === undefined ? [] : [command.notes]),
    `Options:\n${columns([...optionRows(command.options ?? {}), ...optionRows(COMMON)])}`,
  ];
  return parts.join("\n\n");
}

function invocation({ name, args = [] }: Command): string {
  const shown = args.map((arg) => (arg.endsWith("?") ? `[${arg.slice(0, -1)}]` : `<${arg}>`));
  return [name, ...shown].join(" ");
}

function optionRows(options: Readonly<Record<string, Option>>): string[][] {
  return Object.entries(options).map(([name, { value, short, help }]) => {
    const long = value === undefined ? `--${name}` : `--${name} ${value}`;
    return [`  ${short === undefined ? long : `-${short}, ${long}`}`, help];
  });
}

/** All commands, in the order of the overview. */
export const COMMANDS: readonly Command[] = [
  trigger,
  workflows,
  rehearse,
  run,
  watch,
  list,
  status,
  result,
  message,
  stop,
  retry,
  compareCommand,
  ...decisions,
  ...endpoints,
  send,
  tailCommand,
  replay,
  ...files,
  ...destinations,
  ...models,
  credits,
  api,
  login,
  completion,
];

/** Runs a command line and returns the exit code. */
export async function program(argv: string[], terminal: Terminal): Promise<Exit> {
  try {
    const text =
      argv[0] === "complete" ? candidates(argv.slice(1)).join("\n") : requestedHelp(argv);
    if (text !== null) {
      terminal.stdout.write(`${text}\n`);
      return EXIT.done;
    }
    const command = commandIn(argv);
    return await start(command, argv.slice(command.name.split(" ").length), terminal);
  } catch (error) {
    if (error instanceof UsageError) error.command = find(argv)?.name ?? "";
    if (terminal.interrupted.aborted) {
      terminal.stderr.write("Interrupted. The request may still have taken effect.\n");
      return EXIT.interrupted;
    }
    return reportError(error, terminal, argv.includes("--json"));
  }
}

function requestedHelp(argv: string[]): string | null {
  if (argv.includes("--version") && argv.length === 1) return version;
  const words = argv.filter((word) => !["--help", "-h", "help"].includes(word));
  if (argv.length > 0 && argv[0] !== "help" && !asksForHelp(argv)) return null;
  const found = find(words);
  if (found !== undefined) return helpOf(found);
  const group = groupOf(words[0] ?? "");
  if (group.length === 0) return overview();
  return `Usage: prompthook ${words[0]} <command>\n\n${rowsOf(group)}`;
}

/** Arguments after `--` are text, even if they look like options. */
function asksForHelp(argv: string[]): boolean {
  const end = argv.indexOf("--");
  const options = end < 0 ? argv : argv.slice(0, end);
  return options.includes("--help") || options.includes("-h");
}

/** Returns the command that begins with these words. */
const find = (argv: readonly string[]): Command | undefined =>
  COMMANDS.find(({ name }) => name.split(" ").every((word, at) => argv[at] === word));

function commandIn(argv: string[]): Command {
  const found = find(argv);
  if (found !== undefined) return found;
  const [first = ""] = argv;
  const group = groupOf(first).map(({ name }) => name);
  if (group.length > 0) throw new UsageError(`Choose a command: ${group.join(", ")}.`);
  const words = COMMANDS.flatMap(({ name }) => [name, name.split(" ")[0] ?? ""]);
  const hint = first.startsWith("-") ? " Options follow the command." : suggestion(first, words);
  throw new UsageError(`Unknown command "${first}".${hint}`);
}

/** Returns the two-word commands that start with this word. */
function groupOf(word: string): Command[] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${word} `));
}
