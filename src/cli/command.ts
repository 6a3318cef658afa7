import { parseArgs } from "node:util";
import type * as z from "zod";
import { Prompthook } from "../client/prompthook.ts";
import { mapMembers } from "../lib/json-values.ts";
import { nearestName } from "../lib/zod-messages.ts";
import { EXIT, type Exit, UsageError } from "./errors.ts";
import { readJson } from "./files.ts";
import { DEFAULT_PROFILE, logins, profileOf, type Settings } from "./profiles.ts";
import { columns as inColumns, Output, type Terminal } from "./terminal.ts";

/** An option of a command: how to parse it and how the help shows it. */
export interface Option {
  multiple?: boolean;
  short?: string;
  /** Placeholder for its value in the help; left out for an option without a value. */
  value?: string;
  help: string;
}

export type Options = Readonly<Record<string, Option>>;

type Value = string | boolean | (string | boolean)[] | undefined;

/** The option values of a command line, read by type. */
class OptionValues {
  readonly #values: Record<string, Value>;

  constructor(values: Record<string, Value>) {
    this.#values = values;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  /** Reads all values of an option that may repeat. */
  texts(name: string): string[] | undefined {
    const value = this.#values[name];
    return value === undefined ? undefined : [value].flat().map(String);
  }

  /** Reads a list: the option may repeat, and each value may contain commas. */
  list(name: string): string[] | undefined {
    return this.texts(name)
      ?.flatMap((one) => one.split(","))
      .map((one) => one.trim())
      .filter((one) => one !== "");
  }

  /** Throws `UsageError` if one of these options is set, which `what` would ignore. */
  refuse(names: readonly string[], what: string): void {
    const given = names.find((name) => this.#values[name] !== undefined);
    if (given !== undefined) throw new UsageError(`${what} does not take --${given}.`);
  }

  /** Reads a list whose items must be among `known`. Throws `UsageError`. */
  listOf<Known extends string>(name: string, known: readonly Known[]): Known[] | undefined {
    return this.list(name)?.map((one) => {
      const found = known.find((value) => value === one);
      if (found !== undefined) return found;
      const hint = suggestion(one, known);
      throw new UsageError(`--${name} must be one of ${known.join(", ")}, not "${one}".${hint}`);
    });
  }

  /** Reads a value that must be among `known`. Throws `UsageError`. */
  oneOf<Known extends string>(name: string, known: readonly Known[]): Known | undefined {
    return this.listOf(name, known)?.[0];
  }

  /** Reads repeated `name=value` pairs. Throws `UsageError`. */
  pairs(name: string): Record<string, string> | undefined {
    const pairs = this.texts(name)?.map((one): [string, string] => {
      const [left = "", ...right] = one.split("=");
      if (left === "" || right.length === 0) {
        throw new UsageError(`--${name} must be name=value, not "${one}".`);
      }
      return [left, right.join("=")];
    });
    return pairs && Object.fromEntries(pairs);
  }

  /** Reads an integer that is at least `least`. Throws `UsageError`. */
  wholeNumber(name: string, least = 0): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (/^\d{1,15}$/.test(value) && Number(value) >= least) return Number(value);
    const kind = least === 0 ? "a whole number" : `a whole number of at least ${least}`;
    throw new UsageError(`--${name} must be ${kind}, not "${value}".`);
  }
}

/** Parses a command line. Throws `UsageError` for an option that is not in the table. */
function readOptions(argv: string[], table: Options) {
  try {
    const options = mapMembers(table, ({ multiple = false, short, value }) => {
      const type = value === undefined ? ("boolean" as const) : ("string" as const);
      return { type, multiple, ...(short !== undefined && { short }) };
    });
    const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true });
    return { values: new OptionValues({ ...values }), args: positionals };
  } catch (error) {
    // Node's second sentence is advice for programmers.
    const reason = String(error instanceof Error ? error.message.split(/\.\s/)[0] : error);
    const [, unknown] = /^Unknown option '--([^']*)'/.exec(reason) ?? [];
    const hint = unknown === undefined ? "" : suggestion(unknown, Object.keys(table), "--");
    throw new UsageError(`${reason}.${hint}`);
  }
}

/** Returns the nearest of the known names as a question, to stand behind an error. */
export function suggestion(name: string, known: readonly string[], prefix = ""): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? "" : ` Did you mean ${prefix}${nearest}?`;
}

/**
 * Returns the service and the key: of the options, else of the profile that --profile names, else of the
 * environment, else of the profile that `login` stored. Throws a `UsageError` if one is missing.
 */
function settingsOf(values: OptionValues, env: Terminal["env"], folder: string): Settings {
  const named = values.text("profile") ?? env.PROMPTHOOK_PROFILE;
  const profile = named === undefined ? null : profileOf(named, folder, env);
  const stored = logins(env)[DEFAULT_PROFILE];
  const baseUrl = values.text("url") ?? profile?.baseUrl ?? env.PROMPTHOOK_URL ?? stored?.url;
  // A stored key is of one service: another one does not get it.
  const storedKey = stored?.url === baseUrl ? stored?.apiKey : undefined;
  const apiKey = values.text("api-key") ?? profile?.apiKey ?? env.PROMPTHOOK_API_KEY ?? storedKey;
  const advice = "Or run prompthook login.";
  if (!baseUrl) throw new UsageError(`No service URL. Set PROMPTHOOK_URL or pass --url. ${advice}`);
  if (!apiKey)
    throw new UsageError(`No API key. Set PROMPTHOOK_API_KEY or pass --api-key. ${advice}`);
  return { baseUrl, apiKey };
}

/** The folder of files, unless a command names another. */
export const FOLDER = "prompthook";

/** Options that every command accepts. */
export const COMMON: Options = {
  json: { help: "print one JSON value per line on stdout" },
  url: { value: "URL", help: "base URL of the service (default: PROMPTHOOK_URL)" },
  "api-key": { value: "KEY", help: "API key (default: PROMPTHOOK_API_KEY)" },
  profile: {
    value: "NAME",
    help: "the service and key of this name (default: PROMPTHOOK_PROFILE)",
  },
  help: { short: "h", help: "show this help" },
};

/** A command line, parsed: everything that a command needs to run. */
export interface Call {
  client: Prompthook;
  /** Returns the client of a profile, or that of the command line, with a folder's prompthook.json. */
  clientIn(folder: string, profile?: string): Prompthook;
  output: Output;
  /** Positional arguments, one for each name in `Command.args`; `""` for an omitted one. */
  args: string[];
  values: OptionValues;
  /** Reads the JSON of the file that an option names, or of standard input; undefined without the option. */
  json<Schema extends z.ZodType>(
    option: string,
    schema: Schema,
  ): Promise<z.output<Schema> | undefined>;
  /** Aborts on Ctrl-C. */
  signal: AbortSignal;
}

/** A command of the program. */
export interface Command {
  /** One or two words, such as `decisions list`. */
  name: string;
  summary: string;
  /** Argument names; a trailing `?` marks an optional one. */
  args?: readonly string[];
  options?: Options;
  /** Further paragraphs of its help. */
  notes?: string;
  /** Returns the exit code, or nothing for success. */
  run(call: Call): Promise<Exit | undefined>;
}

/** A command that prints a table, or one JSON record per line for scripts. */
interface Listing<Item> extends Omit<Command, "run"> {
  /** The default of --limit (100 unless set). */
  most?: number;
  /** Returns the items, of which the first `limit` are printed. */
  items(
    call: Call,
    limit: number,
    ...args: string[]
  ): Promise<Iterable<Item>> | AsyncIterable<Item>;
  /** Returns the cell of an item for each heading. */
  columns: Readonly<Record<string, (item: Item) => string>>;
}

export function listing<Item>({ items, columns, most = 100, ...command }: Listing<Item>): Command {
  const limits = { limit: { value: "N", help: `maximum number of rows (default: ${most})` } };
  return {
    ...command,
    options: { ...limits, ...command.options },
    async run(call) {
      const { output, values, args } = call;
      const limit = values.wholeNumber("limit", 1) ?? most;
      const found: Item[] = [];
      for await (const item of await items(call, limit, ...args)) {
        found.push(item);
        if (found.length === limit) break;
      }
      const rows = found.map((item) => Object.values(columns).map((cell) => cell(item)));
      if (output.isJson) for (const item of found) output.print(item, String);
      else if (rows.length === 0) output.note("No results.");
      else output.print(rows, () => inColumns([Object.keys(columns), ...rows]));
    },
  };
}

/** A command that makes a call and prints the reply. */
interface Calling<Reply> extends Omit<Command, "run"> {
  ask(call: Call, ...args: string[]): Promise<Reply>;
  /** Returns the reply in words. */
  text(reply: Reply, call: Call): string;
}

export function calling<Reply>({ ask, text, ...command }: Calling<Reply>): Command {
  return {
    ...command,
    async run(call) {
      call.output.print(await ask(call, ...call.args), (reply) => text(reply, call));
    },
  };
}

/** Runs a command with the arguments after its name. Throws `UsageError` for arguments that it does not accept. */
export async function start(command: Command, argv: string[], terminal: Terminal): Promise<Exit> {
  const { values, args } = readOptions(argv, { ...command.options, ...COMMON });
  checkCount(args, command);
  const { args: names = [] } = command;
  const exit = await command.run({
    // Some commands need no service, or have a folder of their own.
    get client() {
      return clientOf(settingsOf(values, terminal.env, FOLDER));
    },
    clientIn(folder, profile) {
      const { env } = terminal;
      const isNamed = profile !== undefined;
      return clientOf(isNamed ? profileOf(profile, folder, env) : settingsOf(values, env, folder));
    },
    output: new Output(terminal, values.flag("json")),
    args: names.map((_, index) => args[index] ?? ""),
    values,
    async json(option, schema) {
      const file = values.text(option);
      return file === undefined ? undefined : await readJson(file, schema, terminal);
    },
    signal: terminal.interrupted,
  });
  return exit ?? EXIT.done;
}

/** Returns a client of a service. Throws a `UsageError` for settings that it cannot use. */
export function clientOf(settings: Settings): Prompthook {
  // Anything else cannot stand in a header.
  if (!/^[\x21-\x7e]+$/.test(settings.apiKey))
    throw new UsageError("The API key is empty, or has characters that an API key cannot have.");
  try {
    return new Prompthook(settings);
  } catch (error) {
    // The client refuses a URL that would expose the key.
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(
      `"${settings.baseUrl}" is not an https:// URL. Set PROMPTHOOK_URL or pass --url.`,
    );
  }
}

function checkCount(args: string[], { name, args: names = [] }: Command): void {
  const missing = names.slice(args.length).find((one) => !one.endsWith("?"));
  if (missing !== undefined) throw new UsageError(`${name} needs <${missing}>.`);
  const extra = args[names.length];
  if (extra === undefined) return;
  const hint = names.length === 0 ? "" : " Quote text that contains spaces.";
  throw new UsageError(`${name} does not take "${extra}".${hint}`);
}
