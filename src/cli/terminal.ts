import { styleText } from "node:util";
import { columns, jsonLine, plain } from "./text.ts";

/** An output stream: a terminal, a file or a pipe. */
export interface Screen {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  /** Present on terminals; respects NO_COLOR. */
  hasColors?(): boolean;
}

/** The streams, environment and interrupt signal that the program uses. */
export interface Terminal {
  env: Record<string, string | undefined>;
  stdin: NodeJS.ReadableStream;
  stdout: Screen;
  stderr: Screen;
  /** Aborts on Ctrl-C. */
  interrupted: AbortSignal;
}

export type Style = "bold" | "dim" | "green" | "red" | "yellow" | "cyan";

/** Colours text if the stream supports colours. */
export function styled(screen: Screen, style: Style, text: string): string {
  return screen.hasColors?.() ? styleText(style, text, { validateStream: false }) : text;
}

/** Prints results: JSON records for scripts, or text for people. */
export class Output {
  readonly terminal: Terminal;
  readonly isJson: boolean;

  constructor(terminal: Terminal, isJson: boolean) {
    this.terminal = terminal;
    this.isJson = isJson;
  }

  /** Prints a value on stdout: one line of JSON for scripts, otherwise the text from `format`. */
  print<Value>(value: Value, format: (value: Value) => string): void {
    const line = this.isJson ? jsonLine(value) : format(value);
    this.terminal.stdout.write(`${line}\n`);
  }

  /** Prints a remark for people on stderr. */
  note(line: string): void {
    this.terminal.stderr.write(`${line}\n`);
  }

  style(style: Style, value: string): string {
    return styled(this.terminal.stdout, style, plain(value));
  }
}

/** Prints the first `limit` items (at least 1): one JSON record each for scripts, a table for people. */
export async function printList<Item>(
  output: Output,
  items: AsyncIterable<Item> | Iterable<Item>,
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
    for (const item of found) output.print(item, String);
  } else if (found.length === 0) {
    output.note("No results.");
  } else {
    output.print(found, (all) => columns([heading, ...all.map(cells)]));
  }
}
