import type { ContentfulStatusCode } from "hono/utils/http-status";
import { PrompthookError } from "../../client/error.ts";
import type { Violation } from "../../contract/problem.ts";
import { capital } from "../../lib/text.ts";

/** What is wrong with what was typed: sentences by the names of their controls. */
export type Faults = ReadonlyMap<string, string>;

export const NO_FAULTS: Faults = new Map();

/** A form that was refused: a message for the form and one for each control. */
export interface Refusal {
  status: ContentfulStatusCode;
  message: string;
  faults: Faults;
  /** The id of the refused API request. */
  requestId?: string;
}

/** Statuses that the reader can react to in the form; others have pages of their own. */
const SHOWN: readonly ContentfulStatusCode[] = [400, 402, 403, 409, 413, 422, 429, 503];
const CHECK_FIELDS = "Check the fields below.";

/** Returns what a form shows of an error; throws errors that are not about the form. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof PrompthookError)) throw error;
  const status = SHOWN.find((shown) => shown === error.status);
  if (status === undefined) throw error;
  const message = error.errors.length > 0 ? CHECK_FIELDS : error.message;
  return { status, message, faults: faultsOf(error.errors), requestId: error.requestId };
}

/** Returns the refusal of a form that was not sent to the API. */
export function refusalFor(faults: Faults): Refusal {
  return { status: 400, message: CHECK_FIELDS, faults };
}

/** Returns violations by their paths; several of one path become one text. */
export function faultsOf(violations: readonly Violation[]): Faults {
  const faults = new Map<string, string>();
  for (const { path, message } of violations) {
    const before = faults.get(path);
    // A missing value breaks all other rules as well.
    if (before === REQUIRED) continue;
    faults.set(path, before === undefined ? sentence(message) : `${before} ${sentence(message)}`);
  }
  return faults;
}

/** Returns all that is wrong at a path and below it as one text, undefined for nothing. */
export function faultAt(faults: Faults, path: string): string | undefined {
  const found = [...faults].filter(
    ([at]) => at === path || at.startsWith(`${path}.`) || at.startsWith(`${path}[`),
  );
  const texts = found.map(([at, text]) => (at === path ? text : `${at}: ${text}`));
  return texts.length === 0 ? undefined : texts.join(" ");
}

const REQUIRED = "Is required.";

/** A form sends an empty field as an empty text, so a text that needs a character is a missing one. */
const EMPTY = /^must have at least 1 (?:character|item)$/;

/** The API's messages have no subject: "must be a number". */
function sentence(message: string): string {
  if (EMPTY.test(message)) return REQUIRED;
  const text = capital(message);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
