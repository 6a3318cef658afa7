import { styleText } from "node:util";
import { jsonLine, plain } from "./text.ts";

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
