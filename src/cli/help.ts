import { COMMON, type Command } from "./command.ts";
import type { Option } from "./options.ts";
import { columns } from "./text.ts";

/** What the program can do. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map((command) => [`  ${invocation(command)}`, command.summary]);
  return `Starts agents of a Prompthook service, follows them, and shows the webhooks that came.

Usage: prompthook <command> [options]

${columns(rows)}

Settings:
  PROMPTHOOK_URL      where the service is; npm start prints it
  PROMPTHOOK_API_KEY  an API key of yours

Exit codes:
  0    done; with --watch: the run completed
  1    the run failed or was stopped
  2    the command line or the settings are wrong; nothing was done
  3    the service refused; the error says why
  4    the service cannot be reached, or cannot take it now
  130  interrupted; a run that was watched goes on

prompthook <command> --help tells more of one.`;
}

/** What one command does and takes. */
export function helpOf(command: Command): string {
  const parts = [
    `${command.summary}.`,
    `Usage: prompthook ${invocation(command)}${optionsMark(command)}`,
    ...(command.notes === undefined ? [] : [command.notes]),
    `Options:\n${columns([...optionRows(command.options), ...optionRows(COMMON)])}`,
  ];
  return parts.join("\n\n");
}

/** What belongs to a first word that needs a second one. */
export function groupHelp(word: string, commands: readonly Command[]): string {
  const rows = commands.map((command) => [`  ${invocation(command)}`, command.summary]);
  return `Usage: prompthook ${word} <command>\n\n${columns(rows)}`;
}

function invocation({ name, args }: Command): string {
  const shown = args.map((arg) => (arg.endsWith("?") ? `[${arg.slice(0, -1)}]` : `<${arg}>`));
  return [name, ...shown].join(" ");
}

function optionsMark({ options }: Command): string {
  return Object.keys(options).length === 0 ? "" : " [options]";
}

function optionRows(options: Readonly<Record<string, Option>>): string[][] {
  return Object.entries(options).map(([name, { value, short, help }]) => {
    const long = value === undefined ? `--${name}` : `--${name} ${value}`;
    return [`  ${short === undefined ? long : `-${short}, ${long}`}`, help];
  });
}
