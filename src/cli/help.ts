import { COMMON, type Command } from "./command.ts";
import type { Option } from "./options.ts";
import { columns } from "./text.ts";

/** Returns the overview of all commands. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map((command) => [`  ${invocation(command)}`, command.summary]);
  return `Starts and follows agents on a Prompthook service, and shows the webhooks it receives.

Usage: prompthook <command> [options]

${columns(rows)}

Settings:
  PROMPTHOOK_URL      base URL of the service (npm start prints it)
  PROMPTHOOK_API_KEY  your API key

Exit codes:
  0    success; with --watch, the execution completed
  1    the execution failed or was stopped
  2    invalid command line or settings; nothing happened
  3    the service refused the request; with apply --dry-run or diff, there are differences
  4    the service is unreachable or overloaded
  130  interrupted; a watched execution continues

Run prompthook <command> --help for details.`;
}

/** Returns the help of one command. */
export function helpOf(command: Command): string {
  const parts = [
    `${command.summary}.`,
    `Usage: prompthook ${invocation(command)}${optionsMark(command)}`,
    ...(command.notes === undefined ? [] : [command.notes]),
    `Options:\n${columns([...optionRows(command.options ?? {}), ...optionRows(COMMON)])}`,
  ];
  return parts.join("\n\n");
}

/** Returns the commands of a group, such as `keys`. */
export function groupHelp(word: string, commands: readonly Command[]): string {
  const rows = commands.map((command) => [`  ${invocation(command)}`, command.summary]);
  return `Usage: prompthook ${word} <command>\n\n${columns(rows)}`;
}

function invocation({ name, args = [] }: Command): string {
  const shown = args.map((arg) => (arg.endsWith("?") ? `[${arg.slice(0, -1)}]` : `<${arg}>`));
  return [name, ...shown].join(" ");
}

function optionsMark({ options = {} }: Command): string {
  return Object.keys(options).length === 0 ? "" : " [options]";
}

function optionRows(options: Readonly<Record<string, Option>>): string[][] {
  return Object.entries(options).map(([name, { value, short, help }]) => {
    const long = value === undefined ? `--${name}` : `--${name} ${value}`;
    return [`  ${short === undefined ? long : `-${short}, ${long}`}`, help];
  });
}
