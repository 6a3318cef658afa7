/** Why the data could not be processed, in words that help to ask again. */
export interface Refusal {
  ok: false;
  error: {
    code:
      | "unknown_call"
      | "unreadable_source"
      | "nothing_found"
      | "unknown_column"
      | "not_numbers"
      | "invalid_input";
    message: string;
  };
}

/** A value, or why there is none. */
export type Outcome<T> = { ok: true; value: T } | Refusal;

/** Wraps a value that was found. */
export function found<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

/** Wraps the reason why there is no value. */
export function refused(code: Refusal["error"]["code"], message: string): Refusal {
  return { ok: false, error: { code, message } };
}
