import { styleText } from "node:util";
import { plain } from "./text.ts";

/** What the program talks to. */
export interface Terminal {
  env: Record<string, string | undefined>;
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  /** Aborted by Ctrl-C. */
  interrupted: AbortSignal;
}

export type Style = "bold" | "dim" | "green" | "red" | "yellow" | "cyan";

/** Colours a text where the stream shows colours: on a terminal, and not under NO_COLOR. */
export function styled(stream: NodeJS.WriteStream, style: Style, text: string): string {
  const shows = stream.isTTY && stream.hasColors();
  return shows ? styleText(style, text, { validateStream: false }) : text;
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
    const line = this.isJson ? JSON.stringify(value) : words(value);
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
