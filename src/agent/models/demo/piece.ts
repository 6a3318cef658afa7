import { jsonOrNull } from "../../../lib/json-values.ts";
import { COMMANDS, type Verb } from "./program.ts";

/**
 * What a prompt quotes or gives as it is: a fenced block, a quoted text, an address, JSON, a reference
 * to an input. While the words around it are read, a literal stands as one character.
 */
export interface Literal {
  kind: "block" | "quote" | "url" | "json" | "reference";
  /** Its value: a quoted text without the quotes, a block without the fences. */
  text: string;
  written: string;
}

/** A private character for each literal of a text; the characters themselves may not stand in a prompt. */
const FIRST = 0xe000;
const RESERVED = /[\ue000-\uf8ff]/g;

const LITERALS: readonly [Literal["kind"], RegExp][] = [
  ["block", /```(?:[a-z]*[^\S\n]*\n)?([\s\S]*?)```/y],
  ["reference", /(\{\{\s*[\p{L}_][\p{L}\p{N}_.-]*\s*\}\})/uy],
  ["quote", /"([^"\n]*)"/y],
  // Without the punctuation of the sentence around it.
  ["url", /(https?:\/\/[^\s"<>]*[^\s"<>.,;:!?)\]'])/iy],
];

/** A text whose literals are one character each. */
export class Masked {
  readonly text: string;
  readonly #literals: readonly Literal[];

  constructor(text: string) {
    const literals: Literal[] = [];
    const source = text.replace(RESERVED, "\ufffd");
    let masked = "";
    for (let at = 0; at < source.length; ) {
      const literal = literals.length < 0x18ff ? literalAt(source, at) : null;
      if (literal === null) masked += source[at];
      else masked += String.fromCharCode(FIRST + literals.push(literal) - 1);
      at += literal?.written.length ?? 1;
    }
    // One blank each: no pattern takes long over a run of them.
    this.text = masked.replace(/[^\S\n]+/g, " ").replace(/ ?\n ?/g, "\n");
    this.#literals = literals;
  }

  /** Returns the literal that a text consists of, or null for anything else. */
  literal(masked: string): Literal | null {
    return masked.length === 1 ? (this.#literals[masked.charCodeAt(0) - FIRST] ?? null) : null;
  }

  /** Returns a text as it was written. */
  written(masked: string): string {
    return masked.replace(RESERVED, (mark) => this.literal(mark)?.written ?? mark);
  }
}

function literalAt(source: string, at: number): Literal | null {
  for (const [kind, pattern] of LITERALS) {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match !== null) return { kind, text: match[1] ?? "", written: match[0] };
  }
  const json = jsonAt(source, at);
  return json === null ? null : { kind: "json", text: json, written: json };
}

/** Returns the JSON object or list that begins at a place, or null. */
function jsonAt(source: string, start: number): string | null {
  if (source[start] !== "{" && source[start] !== "[") return null;
  // Outside its strings, brackets balance.
  const pieces = /"(?:[^"\\]|\\.)*"|[{}[\]]/gs;
  pieces.lastIndex = start;
  let depth = 0;
  for (const { 0: piece, index } of source.matchAll(pieces)) {
    if (piece === "{" || piece === "[") depth += 1;
    if (piece === "}" || piece === "]") depth -= 1;
    if (depth > 0) continue;
    const text = source.slice(start, index + 1);
    return jsonOrNull(text) === null ? null : text;
  }
  return null;
}

/** A refused prompt, with the nearest line of the grammar: null for all lines, undefined for none. */
export class Misread extends Error {
  readonly form: string | null | undefined;

  constructor(message: string, form?: string | null) {
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
    throw new Misread(`${place}: ${message}.`, this.#verb && COMMANDS[this.#verb]);
  }
}
