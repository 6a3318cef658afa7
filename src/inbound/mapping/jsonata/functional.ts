/**
 * Whether a value is a function to JSONata: JavaScript's, or an object with one of its two marks. Such
 * an object leads to the syntax tree and to all variables, so it is never looked into.
 */
export function isFunction(value: unknown): boolean {
  if (typeof value === "function") return true;
  if (typeof value !== "object" || value === null) return false;
  return (
    ("_jsonata_lambda" in value && value._jsonata_lambda === true) ||
    ("_jsonata_function" in value && value._jsonata_function === true)
  );
}
