import * as z from "zod";
import { describeUnknown } from "../lib/zod-messages.ts";

/**
 * Returns a schema of an object that takes the fields of `shape` and no others. The error for an unknown
 * field names the allowed ones, so that a misspelt option is found at once instead of being ignored.
 * `noun` is what messages call a field.
 */
export function closed<Shape extends z.core.$ZodLooseShape>(shape: Shape, noun = "field") {
  const allowed = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? describeUnknown(noun, issue.keys[0] ?? "", allowed)
        : undefined,
  });
}
