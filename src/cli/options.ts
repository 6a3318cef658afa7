import { parseArgs } from "node:util";
import { nearestName } from "../lib/zod-messages.ts";
import { UsageError } from "./errors.ts";

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
export class OptionValues {
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

  /** Reads a list: the option may repeat, and each value may contain commas. */
  list(name: string): string[] | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    return [value]
      .flat()
      .flatMap((one) => String(one).split(","))
      .map((one) => one.trim())
      .filter((one) => one !== "");
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
    const value = this.#values[name];
    if (value === undefined) return undefined;
    const pairs = [value].flat().map((one): [string, string] => {
      const [left = "", ...right] = String(one).split("=");
      if (left === "" || right.length === 0) {
        throw new UsageError(`--${name} must be name=value, not "${one}".`);
      }
      return [left, right.join("=")];
    });
    return Object.fromEntries(pairs);
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
export function readOptions(
  argv: string[],
  table: Options,
): { values: OptionValues; args: string[] } {
  try {
    const options = Object.fromEntries(
      Object.entries(table).map(([name, { multiple = false, short, value }]) => {
        const type = value === undefined ? ("boolean" as const) : ("string" as const);
        return [name, { type, multiple, ...(short !== undefined && { short }) }];
      }),
    );
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
