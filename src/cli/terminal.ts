import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";
import { durationText } from "../lib/text.ts";

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

  /** Asks for a line and returns it, "" at the end of the input. Throws on Ctrl-C. */
  async ask(question: string, isHidden = false): Promise<string> {
    const { stdin, interrupted: signal } = this.terminal;
    // A terminal echoes what `input` reads only to an `output`, and then sends no signal on Ctrl-C.
    const reader = createInterface({ input: stdin, terminal: isHidden });
    reader.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    this.note(question);
    const line = reader.question("").catch(() => "");
    const ended = once(reader, "close", { signal }).then(() => "");
    return (await Promise.race([line, ended]).finally(() => reader.close())).trim();
  }

  style(style: Style, value: string): string {
    return styled(this.terminal.stdout, style, plain(value));
  }
}

/** Control characters other than line breaks and tabs, and bidirectional controls. */
const CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Replaces control characters. Pages, payloads and models write much of what is shown here, and an
 * escape sequence in it could rewrite earlier lines of the terminal.
 */
export function plain(text: string): string {
  return text.replace(CONTROL, "\ufffd");
}

/** Returns one line of JSON with C1 controls and U+2028, on which some terminals and readers of lines act, escaped. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns indented JSON with each line prefixed by `indent`. */
export function jsonText(value: unknown, indent: string): string {
  return plain(JSON.stringify(value ?? null, null, 2)).replace(/^/gm, indent);
}

/** Returns `plain` text on one line, cut to `length` characters. */
export function oneLine(text: string, length: number): string {
  const line = plain(text).replace(/\s+/g, " ").trim();
  const points = [...line];
  return points.length <= length ? line : `${points.slice(0, length - 1).join("")}…`;
}

/** Aligns rows into columns; the last cell of a row may have any length. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.slice(0, -1).entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    }
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Formats a timestamp in the local time zone: `2026-11-20 09:30:00`. */
export function localTime(timestamp: string): string {
  // The Swedish locale formats dates as ISO 8601 does.
  return new Date(timestamp).toLocaleString("sv-SE");
}

/** Formats the age of a timestamp. */
export function ago(timestamp: string, now: number): string {
  const ms = now - Date.parse(timestamp);
  return ms < 1_000 ? "now" : `${durationText(ms)} ago`;
}
