import { parseExactJson } from "../../../lib/strict-json.ts";
import { jsonText } from "./json-text.ts";
import { made, type TransformOf, unfit } from "./outcome.ts";

/** Text, which must be JSON, becomes its value; any other value becomes its JSON text. */
export const json: TransformOf<"json"> = (value) => {
  if (typeof value !== "string") return made(jsonText(value));
  const parsed = parseExactJson(new TextEncoder().encode(value));
  return parsed.ok ? made(parsed.value) : unfit(value, "JSON, with no name twice in an object");
};
