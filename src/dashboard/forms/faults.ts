import type { ContentfulStatusCode } from "hono/utils/http-status";
import type * as z from "zod";
import { PrompthookError } from "../../client/error.ts";
import type { Violation } from "../../contract/problem.ts";
import { invalidByIssues } from "../../http/problem.ts";

/** What is wrong with what was typed, by the name of its control. */
export type Faults = ReadonlyMap<string, string>;

export const NO_FAULTS: Faults = new Map();

/** A form that was not taken: what to say on top of it and at its controls. */
export interface Refusal {
  status: ContentfulStatusCode;
  message: string;
  faults: Faults;
}

/** Statuses that somebody who fills a form can do something about; others have pages of their own. */
const TOLD: readonly ContentfulStatusCode[] = [400, 402, 403, 409, 413, 422, 429, 503];

/** What a form says of an error; throws those that are not about the form. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof PrompthookError)) throw error;
  const status = TOLD.find((told) => told === error.status);
  if (status === undefined) throw error;
  const message = error.errors.length > 0 ? "Something is not right yet." : error.message;
  return { status, message, faults: faultsOf(error.errors) };
}

/** Faults that were found before anything was sent. */
export function refusalFor(faults: Faults): Refusal {
  return { status: 400, message: "Something is not right yet.", faults };
}

/** Faults by path; several at one path are told one after the other. */
export function faultsOf(violations: readonly Violation[]): Faults {
  const faults = new Map<string, string>();
  for (const { path, message } of violations) {
    const before = faults.get(path);
    // What is not there has all other faults of its kind as well.
    if (before === REQUIRED) continue;
    faults.set(path, before === undefined ? sentence(message) : `${before} ${sentence(message)}`);
  }
  return faults;
}

/** What a schema says against a value, as the API would say it. */
export function faultsByIssues(issues: z.core.$ZodIssue[]): Faults {
  return faultsOf(invalidByIssues("form", issues).errors ?? []);
}

/** The faults whose paths begin like this, each with its path. */
export function faultsUnder(faults: Faults, path: string): [string, string][] {
  return [...faults].filter(
    ([at]) => at === path || at.startsWith(`${path}.`) || at.startsWith(`${path}[`),
  );
}

/** The same, with all that is wrong below a path told at the path itself. */
export function gatheredAt(faults: Faults, path: string): Faults {
  const messages = faultsUnder(faults, path).map(([, message]) => message);
  return messages.length === 0 ? faults : new Map([...faults, [path, messages.join(" ")]]);
}

const REQUIRED = "Is required.";

/** A form sends an empty field as an empty text, so a text that needs a character is a missing one. */
const EMPTY = /^must have at least 1 (?:character|item)$/;

/** The API's messages have no subject: "must be a number". */
function sentence(message: string): string {
  if (EMPTY.test(message)) return REQUIRED;
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
