/**
 * What stands before the lines of a block. `next` is for the line to come, `rest` for all after
 * it: a list item's first line has its marker, the others its indentation.
 */
export interface Margin {
  next: string;
  rest: string;
  /** The line that keeps the block to come apart, and those after it; null where they stand close. */
  gap: string | null;
  restGap: string | null;
}

/** The margin of a whole document. */
export function pageMargin(): Margin {
  return { next: "", rest: "", gap: "", restGap: "" };
}

/** A margin inside another, which is used up for the line that they share. */
export function nest(outer: Margin, inner: { next: string; rest: string; gaps: boolean }): Margin {
  const rest = outer.rest + inner.rest;
  const restGap = inner.gaps && outer.restGap !== null ? rest : null;
  const margin = { next: outer.next + inner.next, rest, gap: outer.gap, restGap };
  useUp(outer);
  return margin;
}

function useUp(margin: Margin): void {
  margin.next = margin.rest;
  margin.gap = margin.restGap;
}

/** Puts blocks of lines one under another, and takes no more once it has enough. */
export class Writer {
  readonly #max: number;
  readonly #lines: string[] = [];
  #length = 0;

  /** `max`: characters after which nothing more is taken. */
  constructor(max: number) {
    this.#max = max;
  }

  get isFull(): boolean {
    return this.#length > this.#max;
  }

  block(lines: string[], margin: Margin): void {
    if (this.isFull) return;
    if (margin.gap !== null && this.#lines.length > 0) this.#add(margin.gap);
    for (const line of lines) {
      this.#add(margin.next + line);
      useUp(margin);
    }
  }

  toString(): string {
    return this.#lines.join("\n");
  }

  #add(line: string): void {
    this.#lines.push(line.trimEnd());
    this.#length += line.length + 1;
  }
}
