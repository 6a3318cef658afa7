import { styleText } from "node:util";
import { columns, jsonLine, plain } from "./text.ts";

/** Where something is shown: a terminal, a file or a pipe. */
export interface Screen {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  /** Of terminals only; it knows NO_COLOR and its like. */
  hasColors?(): boolean;
}

/** What the program talks to. */
export interface Terminal {
  env: Record<string, string | undefined>;
  stdin: NodeJS.ReadableStream;
  stdout: Screen;
  stderr: Screen;
  /** Aborted by Ctrl-C. */
  interrupted: AbortSignal;
}

export type Style = "bold" | "dim" | "green" | "red" | "yellow" | "cyan";

/** Colours a text where it is shown in colours. */
export function styled(screen: Screen, style: Style, text: string): string {
  return screen.hasColors?.() ? styleText(style, text, { validateStream: false }) : text;
}

/** What a command says: records for scripts, or words for people. */
export class Output {
  readonly terminal: Terminal;
  readonly isJson: boolean;

  constructor(terminal: Terminal, isJson: boolean) {
    this.terminal = terminal;
    this.isJson = isJson;
  }

  /** On stdout: one line of JSON for a script, else what `words` makes of it. */
  say<Value>(value: Value, words: (value: Value) => string): void {
    const line = this.isJson ? jsonLine(value) : words(value);
    this.terminal.stdout.write(`${line}\n`);
  }

  /** On stderr, for people. */
  note(line: string): void {
    this.terminal.stderr.write(`${line}\n`);
  }

  style(style: Style, value: string): string {
    return styled(this.terminal.stdout, style, plain(value));
  }
}

/** Says the first `limit` items of a list, one at least: each as a record for scripts, all as a table for people. */
export async function listSome<Item>(
  output: Output,
  items: AsyncIterable<Item>,
  limit: number,
  heading: string[],
  cells: (item: Item) => string[],
): Promise<void> {
  const found: Item[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length === limit) break;
  }
  if (output.isJson) {
    for (const item of found) output.say(item, String);
  } else if (found.length === 0) {
    output.note("There are none.");
  } else {
    output.say(found, (all) => columns([heading, ...all.map(cells)]));
  }
}
