import type { Transform } from "../../../contract/webhooks/mapping.ts";
import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import { described } from "../../../workflows/inputs.ts";
import type { WorkBudget } from "../work-budget.ts";

/** Characters of a transform's result: as many as the largest payload has bytes. */
export const MAX_TEXT_LENGTH = 10_485_760;

/** The result of a transform, or the predicate that says why it failed, such as "must be text". */
export type Transformed = { ok: true; value: PayloadValue } | { ok: false; message: string };

/**
 * One step of a field's chain: takes the current value, the setting, the whole payload and the work that is
 * left. The value is never null; a null result makes the field absent.
 */
export type TransformOf<Type extends Transform["type"]> = (
  value: PayloadValue,
  setting: Extract<Transform, { type: Type }>,
  payload: PayloadValue,
  budget: WorkBudget,
) => Transformed | Promise<Transformed>;

export const success = (value: PayloadValue): Transformed => ({ ok: true, value });

export const failure = (message: string): Transformed => ({ ok: false, message });

/** Returns the failure of a value of the wrong type; `expected` completes "must be …". */
export function wrongType(value: PayloadValue, expected: string): Transformed {
  return failure(`must be ${expected}; got ${described(value)}`);
}
