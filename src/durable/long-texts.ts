import * as z from "zod";
import type { TableStorage } from "./rows.ts";

/** Characters per piece. A value holds 2 MB, and a character takes up to two bytes. */
const PIECE_LENGTH = 500_000;

/**
 * Stores texts of any length in an object's storage, whose values are limited in size, as pieces under
 * several keys. Changes belong into a transaction.
 */
export class LongTexts {
  readonly #kv: TableStorage["kv"];

  constructor(kv: TableStorage["kv"]) {
    this.#kv = kv;
  }

  put(name: string, text: string): void {
    this.delete(name);
    const count = Math.ceil(text.length / PIECE_LENGTH);
    for (let at = 0; at < count; at += 1) {
      this.#kv.put(keyOf(name, at), text.slice(at * PIECE_LENGTH, (at + 1) * PIECE_LENGTH));
    }
    this.#kv.put(name, count);
  }

  get(name: string): string | null {
    const count = this.#count(name);
    if (count === null) return null;
    const pieces = Array.from({ length: count }, (_, at) =>
      z.string().parse(this.#kv.get(keyOf(name, at))),
    );
    return pieces.join("");
  }

  delete(name: string): void {
    for (let at = (this.#count(name) ?? 0) - 1; at >= 0; at -= 1) this.#kv.delete(keyOf(name, at));
    this.#kv.delete(name);
  }

  #count(name: string): number | null {
    const count = this.#kv.get(name);
    return count === undefined ? null : z.int().parse(count);
  }
}

function keyOf(name: string, at: number): string {
  return `${name}/${at}`;
}

/** Returns whether a text is too long for one value. */
export function isLong(text: string): boolean {
  return text.length > PIECE_LENGTH;
}
