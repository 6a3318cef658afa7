/** A value that could be made, or a sentence that says why not and what to do instead. */
export type Made<T> = { ok: true; value: T } | { ok: false; message: string };

export function made<T>(value: T): Made<T> {
  return { ok: true, value };
}

export function notMade(message: string): { ok: false; message: string } {
  return { ok: false, message };
}
