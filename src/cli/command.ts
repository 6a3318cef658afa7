import { Prompthook } from "../client/prompthook.ts";
import { type Exit, UsageError } from "./errors.ts";
import { type Given, type Options, readOptions } from "./options.ts";
import { Output, type Terminal } from "./terminal.ts";

/** Where the service is and who asks it: an option wins over the environment. */
export function settingsOf(
  given: Given,
  env: Record<string, string | undefined>,
): { baseUrl: string; apiKey: string } {
  const baseUrl = given.text("url") ?? env.PROMPTHOOK_URL ?? "";
  const apiKey = given.text("api-key") ?? env.PROMPTHOOK_API_KEY ?? "";
  if (baseUrl === "") {
    throw new UsageError("Where is the service? Set PROMPTHOOK_URL, or give --url.");
  }
  if (apiKey === "") {
    throw new UsageError("Who are you? Set PROMPTHOOK_API_KEY, or give --api-key.");
  }
  // Anything else cannot stand in a header.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new UsageError("This is not an API key.");
  return { baseUrl, apiKey };
}

/** Options of every command. */
export const COMMON: Options = {
  json: { type: "boolean", help: "for scripts: one JSON value a line on stdout, nothing else" },
  url: { type: "string", value: "URL", help: "where the service is (PROMPTHOOK_URL)" },
  "api-key": { type: "string", value: "KEY", help: "the API key (PROMPTHOOK_API_KEY)" },
  help: { type: "boolean", short: "h", help: "tells this" },
};

/** A command as somebody has given it. */
export interface Call {
  client: Prompthook;
  output: Output;
  /** The arguments that are no options: as many as the command takes, "" for one that was left out. */
  args: string[];
  given: Given;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** One of the program's commands. */
export interface Command {
  /** One word, or two: `keys list`. */
  name: string;
  summary: string;
  /** The names of its arguments; those that end with `?` may be left out. */
  args: readonly string[];
  options: Options;
  /** What else its help says. */
  notes?: string;
  run(call: Call): Promise<Exit>;
}

/** Runs a command with what stands after its name; throws a `UsageError` for what it cannot take. */
export async function start(command: Command, argv: string[], terminal: Terminal): Promise<Exit> {
  const { given, args } = readOptions(argv, { ...command.options, ...COMMON });
  checkCount(args, command);
  return command.run({
    client: clientOf(given, terminal),
    output: new Output(terminal, given.flag("json")),
    args: command.args.map((_, index) => args[index] ?? ""),
    given,
    signal: terminal.interrupted,
  });
}

function clientOf(given: Given, terminal: Terminal): Prompthook {
  const settings = settingsOf(given, terminal.env);
  try {
    return new Prompthook(settings);
  } catch (error) {
    // An address that no key is sent to.
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(
      `"${settings.baseUrl}" is no https:// address of a service. Set PROMPTHOOK_URL, or give --url.`,
    );
  }
}

function checkCount(args: string[], command: Command): void {
  const missing = command.args.slice(args.length).find((name) => !name.endsWith("?"));
  if (missing !== undefined) throw new UsageError(`${command.name} needs <${missing}>.`);
  const extra = args[command.args.length];
  if (extra === undefined) return;
  const hint = command.args.length === 0 ? "" : " Put a text with spaces into quotes.";
  throw new UsageError(`${command.name} does not take "${extra}".${hint}`);
}
