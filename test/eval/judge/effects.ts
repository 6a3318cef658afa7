import { isDeepStrictEqual } from "node:util";
import type { Email } from "../../../src/agent/tools/send-email.ts";
import type { Json } from "../../../src/contract/json.ts";
import { isObject } from "../../../src/lib/json-values.ts";
import type { MailExpectation, RequestExpectation } from "../expectation.ts";
import { isSameNumber, mentions } from "./facts.ts";
import { faultOfEach, faultOfFiles, textOf } from "./files.ts";

/** A request that may change something, as the server received it. */
export interface SentRequest {
  method: string;
  url: string;
  body: string;
}

/** Returns what is wrong with the e-mails, or null: exactly those that are wanted, in any order. */
export function faultOfMails(
  mails: readonly Email[],
  wanted: readonly MailExpectation[] = [],
): Promise<string | null> {
  return faultOfEach(mails, wanted, "e-mails", faultOfMail);
}

/** Returns what is wrong with the requests, or null: exactly those that are wanted, in any order. */
export function faultOfRequests(
  requests: readonly SentRequest[],
  wanted: readonly RequestExpectation[] = [],
): Promise<string | null> {
  return faultOfEach(requests, wanted, "requests", faultOfRequest);
}

async function faultOfMail(mail: Email, wanted: MailExpectation): Promise<string | null> {
  if (!isSameSet(mail.to, wanted.to)) return `an e-mail to ${mail.to.join(", ")}`;
  if (mail.cc.length > 0) return `an e-mail with copies to "${mail.cc.join(", ")}"`;
  if (wanted.subject !== undefined && mail.subject !== wanted.subject) {
    return `an e-mail about "${mail.subject}"`;
  }
  const attached = await Promise.all(mail.attachments.map(textOf));
  const text = [mail.text, ...attached].join("\n");
  const missing = wanted.facts?.find((fact) => !mentions(text, fact));
  if (missing !== undefined) return `the e-mail lacks ${missing}: ${text.slice(0, 300)}`;
  const extra = wanted.lacks?.find((fact) => mentions(text, fact));
  if (extra !== undefined) return `the e-mail says ${extra}: ${text.slice(0, 300)}`;
  return wanted.attached === undefined ? null : faultOfFiles(mail.attachments, wanted.attached);
}

function isSameSet(found: readonly string[], wanted: readonly string[]): boolean {
  const sorted = (texts: readonly string[]): string[] =>
    texts.map((text) => text.toLowerCase()).toSorted();
  return isDeepStrictEqual(sorted(found), sorted(wanted));
}

async function faultOfRequest(
  sent: SentRequest,
  wanted: RequestExpectation,
): Promise<string | null> {
  const { method, url, body } = wanted;
  if (sent.method !== method || sent.url !== url) return `${sent.method} ${sent.url}`;
  return isSameJson(jsonOf(sent.body), body) ? null : `the body ${sent.body.slice(0, 300)}`;
}

/** Returns a body as JSON; one that is no JSON is a text. */
function jsonOf(body: string): Json {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Returns whether two values are the same, where numbers may be rounded to two decimals. */
export function isSameJson(found: Json | undefined, wanted: Json): boolean {
  if (typeof found === "number" && typeof wanted === "number") {
    return isSameNumber(found, wanted);
  }
  if (Array.isArray(found) && Array.isArray(wanted)) {
    return (
      found.length === wanted.length && wanted.every((each, at) => isSameJson(found[at], each))
    );
  }
  if (isObject(found) && isObject(wanted)) {
    const names = Object.keys(wanted);
    return (
      Object.keys(found).length === names.length &&
      names.every(
        (name) => Object.hasOwn(found, name) && isSameJson(found[name], wanted[name] ?? null),
      )
    );
  }
  return found === wanted;
}
