import { parseArgs } from "node:util";
import { UsageError } from "./errors.ts";

/** An option of a command, as it is parsed and as the help shows it. */
export interface Option {
  type: "string" | "boolean";
  multiple?: boolean;
  short?: string;
  /** What stands for its value in the help. */
  value?: string;
  help: string;
}

export type Options = Readonly<Record<string, Option>>;

type Value = string | boolean | (string | boolean)[] | undefined;

/** The options that were given, each read as what it is. */
export class Given {
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

  /** A list: the option may come several times, and each time with commas. */
  list(name: string): string[] | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    return [value]
      .flat()
      .flatMap((one) => String(one).split(","))
      .map((one) => one.trim())
      .filter((one) => one !== "");
  }

  /** The same, where only some values are known. */
  listOf<Known extends string>(name: string, known: readonly Known[]): Known[] | undefined {
    return this.list(name)?.map((one) => {
      const found = known.find((value) => value === one);
      if (found !== undefined) return found;
      throw new UsageError(`--${name} takes ${known.join(", ")}; not "${one}".`);
    });
  }

  /** Pairs, as `name=value`; the option may come several times. */
  pairs(name: string): Record<string, string> | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    const pairs = [value].flat().map((one): [string, string] => {
      const [left = "", ...right] = String(one).split("=");
      if (left === "" || right.length === 0) {
        throw new UsageError(`--${name} takes name=value; not "${one}".`);
      }
      return [left, right.join("=")];
    });
    return Object.fromEntries(pairs);
  }

  /** A whole number of so much at least. */
  wholeNumber(name: string, least = 0): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (/^\d{1,15}$/.test(value) && Number(value) >= least) return Number(value);
    const kind = least === 0 ? "a whole number" : `a whole number from ${least} on`;
    throw new UsageError(`--${name} takes ${kind}; not "${value}".`);
  }
}

/** Reads a command line; throws a `UsageError` for an option that is not in the table. */
export function readOptions(argv: string[], table: Options): { given: Given; args: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      options: table,
      allowPositionals: true,
    });
    return { given: new Given({ ...values }), args: positionals };
  } catch (error) {
    // What Node says after the first sentence helps nobody here.
    const reason = error instanceof Error ? error.message.split(/\.\s/)[0] : error;
    throw new UsageError(`${reason}.`);
  }
}
