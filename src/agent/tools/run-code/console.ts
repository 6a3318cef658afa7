import { fitText, storedBytes } from "../page/limits.ts";
import { CONSOLE_BYTES } from "./limits.ts";

/** The lines that a program writes, as many as are kept. */
export interface ConsoleLines {
  readonly lines: string[];
  readonly cut: boolean;
  /** Takes a line; answers whether there is room for another. */
  write(line: string): boolean;
}

/** An empty console. */
export function consoleLines(): ConsoleLines {
  const lines: string[] = [];
  let left = CONSOLE_BYTES;
  let cut = false;
  return {
    lines,
    get cut() {
      return cut;
    },
    write(line) {
      if (cut) return false;
      const fitted = fitText(line, left - 1);
      cut = fitted.cut;
      left -= storedBytes(fitted.kept) + 1;
      if (!fitted.cut || fitted.kept !== "") lines.push(fitted.kept);
      return !cut;
    },
  };
}
