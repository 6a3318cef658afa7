import { cellText } from "../../../tools/process-data/values/cells.ts";
import type { Form } from "../plan/types.ts";
import type { Part } from "./parts.ts";

/** A question that is answered by yes or no, at the beginning of an ask or after a comma. */
const ASKS =
  /(?:^|, )(?:(?:so|ok|please|hi|hello|hey|and|tell me|check|find out|know)(?: ,)? )*(?:if |whether )?(?:is|are|was|were|does|do(?! (?:you|not)\b)|has|have(?! (?:a look|you)\b))(?= \w)/;

/** What a piece comes to as yes or no; null where it is neither. */
export function truthOf({ data, status }: Part): boolean | null {
  if (typeof data === "boolean") return data;
  if (status === "nothing") return false;
  if (Array.isArray(data)) return data.length > 0;
  if (typeof data === "number") return data > 0;
  if (typeof data !== "string") return null;
  if (/^(?:yes|true|in stock|available|active|open)$/i.test(data)) return true;
  return /^(?:no|false|out of stock|sold out|unavailable|inactive|closed)$/i.test(data)
    ? false
    : null;
}

/** States that are told in a word of their own: a question about one is not answered by another. */
const OPPOSITES: Record<string, string> = {
  open: "closed",
  closed: "open",
  active: "inactive",
  inactive: "active",
};

/** What a piece comes to as the answer to a question; null where it tells another state than was asked. */
function truthFor(part: Part, text: string): boolean | null {
  // One cell that says "none left" is no yes.
  const [only, ...others] = Array.isArray(part.data) ? part.data : [];
  if (
    others.length === 0 &&
    /^(?:0|no|false|none|sold out|out of stock)$/i.test(cellText(only ?? null))
  )
    return false;
  const state = typeof part.data === "string" ? part.data.toLowerCase() : "";
  const opposite = OPPOSITES[state];
  if (opposite === undefined) return truthOf(part);
  if (new RegExp(`\\b${state}\\b`).test(text)) return true;
  return new RegExp(`\\b${opposite}\\b`).test(text) ? false : null;
}

/** Begins the answer to a question with "Yes" or "No"; where only that is wanted, it is the data. */
export function answered(part: Part, text: string, form: Form): Part {
  if (part.status === "failed") return part;
  const only = form === "yesno";
  if (!only && !ASKS.test(text)) return part;
  const truth = truthFor(part, text);
  if (truth === null) return part;
  const said = /^(?:yes|no)\b/i.test(part.summary);
  const summary = said ? part.summary : `${truth ? "Yes" : "No"}. ${part.summary}`;
  return only
    ? { ...part, summary, data: truth, status: "found", output: null, records: [] }
    : { ...part, summary };
}
