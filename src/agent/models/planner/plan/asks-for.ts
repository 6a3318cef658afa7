import type { Sentence } from "../language/reading.ts";
import { says } from "./clause.ts";
import { findWants } from "./wants.ts";

/** Whether a sentence asks for anything beyond opening a page. */
export function asks({ text }: Sentence): boolean {
  return says(text) || findWants(text, (phrase) => phrase).wants.length > 0;
}
