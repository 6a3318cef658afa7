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

/**
 * An address with the values of the references in it, each as one piece of it: no value leads to
 * another host or further up or down than the prompt says. Null, with the reason among the problems,
 * where a value cannot stand there.
 */
export function fillAddress(raw: string, references: References): string | null {
  const cannot = (name: string, why: string): null => {
    references.problems.push(`The input "${name}" cannot stand in an address: ${why}.`);
    return null;
  };
  const first = references.at(FIRST.exec(raw)?.[1]);
  const lead = isAddress(first.value) ? first.value : null;
  const rest = lead === null ? raw : raw.replace(FIRST, "");
  if (lead !== null && rest === "") return lead;
  const used = [...rest.matchAll(TOKEN)].map((match) => references.at(match[1]));
  const odd = used.find(({ value }) => value === undefined || value === null);
  if (odd !== undefined) return cannot(odd.name, "it was not given");
  const deep = used.find(({ value }) => typeof value === "object");
  if (deep !== undefined) return cannot(deep.name, "it is no plain value");
  let filled = lead === null ? "" : joined(lead, rest);
  let template = filled;
  const [, scheme = "", authority = ""] = lead === null ? (AUTHORITY.exec(rest) ?? []) : [];
  const start = scheme.length + authority.length;
  let pieces = 0;
  let from = 0;
  for (const match of rest.matchAll(TOKEN)) {
    const { name, value } = references.at(match[1]);
    const between = rest.slice(from, match.index);
    const end = match.index + match[0].length;
    from = end;
    filled += between;
    template += between;
    const text = textOf(value);
    if (match.index < start) {
      const host = authority.slice(0, match.index - scheme.length).replace(TOKEN, "x");
      const put = inAuthority(host, rest.slice(end, start), text);
      if (put === null) return cannot(name, "it would lead to another host than the prompt names");
      filled += put;
      template += put;
      continue;
    }
    const path = !/[?#]/.test(rest.slice(0, match.index)) && !/[?#]/.test(lead ?? "");
    if (path && text === "") return cannot(name, "it is empty");
    const climbs = text.split(/[/\\]/).some((step) => /^\.{1,2}$/.test(step));
    if (path && climbs) return cannot(name, "it would lead to another place than the prompt names");
    // "{{base}}{{path}}" goes on with a path.
    const whole = lead !== null && match.index === 0 ? pathOf(text) : null;
    const put = whole ?? encoded(text);
    if (put === null) return cannot(name, "it is no text");
    const slash = whole !== null && filled.endsWith("/");
    filled = (slash ? filled.slice(0, -1) : filled) + put;
    template = whole === null ? `${template}x` : filled;
    pieces++;
  }
  filled += rest.slice(from);
  template += rest.slice(from);
  const { name } = used[0] ?? first;
  if (!URL.canParse(filled) || !URL.canParse(template)) return cannot(name, "it makes no address");
  const home = new URL(lead ?? template).origin;
  if (new URL(filled).origin !== home || new URL(template).origin !== home) {
    return cannot(name, "it would lead to another host than the prompt names");
  }
  if (pieces > 0 && segments(filled) !== segments(template)) {
    return cannot(name, "it would lead to another place than the prompt names");
  }
  return filled;
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
