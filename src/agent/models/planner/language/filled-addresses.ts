import type { Json } from "../../../../contract/json.ts";
import { type References, textOf } from "./references.ts";

const TOKEN = /\uE000(\d+)\uE001/g;
const FIRST = /^\uE000(\d+)\uE001/;
const AUTHORITY = /^(https?:\/\/)([^/?#]*)/i;
const HOST = /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i;
const HOST_AND_PORT = /^[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?$/i;

/** Whether a value is an address as a whole. */
export function isAddress(value: Json | undefined): value is string {
  return typeof value === "string" && /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value);
}

const segments = (url: string): number => new URL(url).pathname.split("/").length;

/** A path of several steps, as the value of an input; null when it leads anywhere else. */
function pathOf(value: string): string | null {
  const steps = value.split(/[?#]/)[0]?.split("/") ?? [];
  if (!/^\/[\w./~%@:+,=-]*$/.test(value) || steps.some((step) => /^(?:\.|%2e){1,2}$/i.test(step)))
    return null;
  return value;
}

/** What a value reads as where the prompt puts it: in the host, as the port, or as a path after it. */
function inAuthority(before: string, after: string, value: string): string | null {
  if (before === "" && after === "") return HOST_AND_PORT.test(value) ? value : null;
  if (before === "" && /^:/.test(after)) return HOST.test(value) ? value : null;
  if (/:$/.test(before) && after === "") return /^\d{1,5}$/.test(value) ? value : null;
  // A part of a name, with more of the prompt's own behind it.
  if (/^[.-]/.test(after) && /^[a-z\d-]+$/i.test(value)) return value;
  return before !== "" && after === "" ? pathOf(value) : null;
}

const OTHER_HOST = "it would lead to another host than the prompt names";
const OTHER_PLACE = "it would lead to another place than the prompt names";

/**
 * An address with the values of the references in it, each as one piece of it: no value leads to
 * another host or further up or down than the prompt says. Null, with the reason among the problems,
 * where a value cannot stand there.
 */
export function fillAddress(raw: string, references: References): string | null {
  const first = references.at(FIRST.exec(raw)?.[1]);
  const lead = isAddress(first.value) ? first.value : null;
  const rest = lead === null ? raw : raw.replace(FIRST, "");
  if (lead !== null && rest === "") return lead;
  const filling = new Filling(lead, rest);
  let [from, blamed] = [0, first.name];
  for (const { 0: token, 1: number, index } of rest.matchAll(TOKEN)) {
    const { name, value } = references.at(number);
    if (from === 0) blamed = name;
    filling.copy(rest.slice(from, index));
    from = index + token.length;
    const fault = unfit(value) ?? filling.put(textOf(value), index, from);
    if (fault !== null) return refused(references, name, fault);
  }
  filling.copy(rest.slice(from));
  const fault = filling.fault();
  return fault === null ? filling.filled : refused(references, blamed, fault);
}

function refused(references: References, name: string, why: string): null {
  references.problems.push(`The input "${name}" cannot stand in an address: ${why}.`);
  return null;
}

function unfit(value: Json | undefined): string | null {
  if (value === undefined || value === null) return "it was not given";
  return typeof value === "object" ? "it is no plain value" : null;
}

/** An address on its way from the prompt's text to one with values in it. */
class Filling {
  filled: string;
  /** The same with an "x" for each value, which tells where the prompt alone leads to. */
  #template: string;
  #pieces = 0;
  readonly #lead: string | null;
  readonly #rest: string;
  /** Where the host and port of `rest` begin and end; nowhere behind a lead that has them. */
  readonly #host: { from: number; to: number };

  /** `lead`: the value that the address begins with, where it is an address itself. */
  constructor(lead: string | null, rest: string) {
    const [whole = "", scheme = ""] = lead === null ? (AUTHORITY.exec(rest) ?? []) : [];
    this.#lead = lead;
    this.#rest = rest;
    this.#host = { from: scheme.length, to: whole.length };
    this.filled = lead === null ? "" : joined(lead, rest);
    this.#template = this.filled;
  }

  /** Goes on with words of the prompt. */
  copy(text: string): void {
    this.filled += text;
    this.#template += text;
  }

  /** Goes on with a value in place of what stands there in `rest`; else why it cannot. */
  put(value: string, from: number, to: number): string | null {
    if (from < this.#host.to) return this.#putHost(value, from, to);
    const isPath = !/[?#]/.test(`${this.#lead ?? ""}${this.#rest.slice(0, from)}`);
    if (isPath && value === "") return "it is empty";
    const climbs = value.split(/[/\\]/).some((step) => /^\.{1,2}$/.test(step));
    if (isPath && climbs) return OTHER_PLACE;
    this.#pieces += 1;
    // "{{base}}{{path}}" goes on with a path.
    const path = this.#lead !== null && from === 0 ? pathOf(value) : null;
    if (path !== null) {
      this.filled = this.filled.replace(/\/$/, "") + path;
      this.#template = this.filled;
      return null;
    }
    const piece = encoded(value);
    if (piece === null) return "it is no text";
    this.filled += piece;
    this.#template += "x";
    return null;
  }

  #putHost(value: string, from: number, to: number): string | null {
    const before = this.#rest.slice(this.#host.from, from).replace(TOKEN, "x");
    const put = inAuthority(before, this.#rest.slice(to, this.#host.to), value);
    if (put === null) return OTHER_HOST;
    this.copy(put);
    return null;
  }

  /** Why this is not where the prompt leads to; null when it is. */
  fault(): string | null {
    if (!URL.canParse(this.filled) || !URL.canParse(this.#template)) return "it makes no address";
    const home = new URL(this.#lead ?? this.#template).origin;
    const origins = [this.filled, this.#template].map((url) => new URL(url).origin);
    if (origins.some((origin) => origin !== home)) return OTHER_HOST;
    return this.#pieces > 0 && segments(this.filled) !== segments(this.#template)
      ? OTHER_PLACE
      : null;
  }
}

/** The beginning of an address whose rest follows, with one slash between them. */
function joined(lead: string, rest: string): string {
  return lead.endsWith("/") && rest.startsWith("/") ? lead.slice(0, -1) : lead;
}

function encoded(text: string): string | null {
  try {
    return encodeURIComponent(text);
  } catch {
    return null;
  }
}
