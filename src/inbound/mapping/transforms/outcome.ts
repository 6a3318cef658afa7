import type { Transform } from "../../../contract/inbound/mapping.ts";
import type { PayloadValue } from "../../../contract/inbound/payload.ts";
import { described } from "../../../workflows/inputs.ts";

/** Characters that a transform may make: as many as the largest payload has bytes. */
export const MAX_TEXT_LENGTH = 10_485_760;

/** What a transform made, or the sentence, without its subject, that says why it made nothing. */
export type Outcome = { ok: true; value: PayloadValue } | { ok: false; message: string };

/**
 * One step of a field's chain: the value so far, what the endpoint has set, and the whole payload. The
 * value is never null; a result of null makes the field absent.
 */
export type TransformOf<Type extends Transform["type"]> = (
  value: PayloadValue,
  setting: Extract<Transform, { type: Type }>,
  payload: PayloadValue,
) => Outcome | Promise<Outcome>;

export const made = (value: PayloadValue): Outcome => ({ ok: true, value });

export const refused = (message: string): Outcome => ({ ok: false, message });

/** The refusal of a value of the wrong kind: `expected` as in "must be text". */
export function unfit(value: PayloadValue, expected: string): Outcome {
  return refused(`must be ${expected}, and is ${described(value)}`);
}
