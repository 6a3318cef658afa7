import * as z from "zod";

/**
 * An object that takes the fields of `shape` and no others. The error for an unknown field names the
 * allowed ones, so that a misspelt option is found at once instead of being ignored.
 */
export function closed<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const allowed = Object.keys(shape).join(", ") || "none";
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `unknown field ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}; allowed: ${allowed}`
        : undefined,
  });
}
