import { COMMANDS, type Verb } from "./grammar.ts";
import type { Literal, Masked } from "./literals.ts";

/** A prompt that the grammar refuses: what is wrong, and the line of the grammar that came nearest. */
export class Misread extends Error {
  readonly form: string | null;

  constructor(message: string, form: string | null) {
    super(message);
    this.name = "Misread";
    this.form = form;
  }
}

/** A command of a prompt while it is read. */
export class Piece {
  readonly #masked: Masked;
  readonly #start: number;
  readonly #verb: Verb | null;

  /** `start` is the place of the command in the masked text. */
  constructor(masked: Masked, start: number, verb: Verb | null) {
    this.#masked = masked;
    this.#start = start;
    this.#verb = verb;
  }

  /** Returns a text as it was written. */
  written(text: string): string {
    return this.#masked.written(text).trim();
  }

  /** Returns the text of a literal of one of these kinds, or null for anything else. */
  literal(text: string, ...kinds: Literal["kind"][]): string | null {
    const literal = this.#masked.literal(text.trim());
    return literal !== null && kinds.includes(literal.kind) ? literal.text : null;
  }

  /** Returns a name or a value: words, or one literal as a whole. */
  phrase(text: string, what: string): string {
    const trimmed = text.trim();
    const literal = this.#masked.literal(trimmed);
    if (literal === null && this.#masked.written(trimmed) !== trimmed) {
      this.fail(`"${this.written(trimmed)}" is not ${what}`);
    }
    return literal?.text ?? (trimmed === "" ? this.fail(`${what} is missing`) : trimmed);
  }

  /** Returns phrases with commas or "and" between them. */
  phrases(text: string, what: string): string[] {
    return text.split(/,\s*and\s|,|\sand\s/i).map((part) => this.phrase(part, what));
  }

  /** Refuses the prompt because of this command. */
  fail(message: string): never {
    const before = this.#masked.written(this.#masked.text.slice(0, this.#start)).split("\n");
    const place = `Line ${before.length}, character ${(before.at(-1)?.length ?? 0) + 1}`;
    const form = this.#verb === null ? null : COMMANDS[this.#verb];
    throw new Misread(`${place}: ${message}.`, form);
  }
}
