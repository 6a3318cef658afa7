import { cutAt } from "../../agent/tools/text.ts";
import type { Json, JsonObject } from "../../contract/json.ts";
import { redactByName } from "../../lib/redaction.ts";

/** The most characters of a value in the log, as JSON. */
const SHOWN_LENGTH = 16_384;

/**
 * Returns a field of the log with a value that a tool was given or returned, or an event told. Secrets are redacted by
 * their names; a long value is cut, as the beginning of its JSON.
 */
export function shown(name: "input" | "result" | "event", value: Json): JsonObject {
  const redacted = redactByName(value);
  const text = JSON.stringify(redacted);
  if (text.length <= SHOWN_LENGTH) return { [name]: redacted };
  return { [name]: cutAt(text, SHOWN_LENGTH), truncated: true };
}
