import { Masked, Piece } from "./piece.ts";
import { type Action, type Command, FILE_FORMATS, isVerb, METHODS, type Verb } from "./program.ts";
import { parseQuery, testsOf } from "./query.ts";

/**
 * The ends of commands: the end of a line (unless the next one goes on with a clause) or of a sentence,
 * ";" and "then". `save as`, `mail to` and `send` may follow a comma or "and" as well.
 */
const SEPARATOR =
  /(\s*(?:\n(?!\s*(?:(?:from|where|per|sorted by|subject|with)\s|[\ue000-\uf8ff](?:\n|$)))|;|\.(?=\s|$)|,?\s*(?:\band )?\bthen\b,?|(?:,\s*and|,|\band)(?= (?:save as|mail to|send (?:get|post|put|patch|delete))\s))\s*)/i;

/**
 * Reads a prompt or a message as commands. `data` is what "the data" stands for where the text has no
 * block of its own. Every word is read: one that a command has no room for throws `Misread`.
 */
export function parse(text: string, data: string | null): Command[] {
  const { commands: written, block } = splitData(text);
  const masked = new Masked(written);
  const commands: Command[] = [];
  let start = 0;
  for (const [index, part] of masked.text.split(SEPARATOR).entries()) {
    const place = start + part.length - part.trimStart().length;
    start += part.length;
    // Every second part is a separator.
    if (index % 2 === 1 || part.trim() === "") continue;
    commands.push(commandOf(masked, part.trim(), place, block ?? data));
  }
  return commands;
}

/**
 * Splits a text into its commands and the data below them: a fenced block that is not the code of `run`,
 * or, where the commands speak of "the data", what follows a blank line or a line that ends with a colon.
 */
export function splitData(text: string): { commands: string; block: string | null } {
  const fenced = [...text.matchAll(/```[a-z]*[^\S\n]*\n([\s\S]*?)```/g)].find(
    ({ index }) => !/\brun\s*$/i.test(text.slice(0, index)),
  );
  if (fenced !== undefined) {
    const before = text.slice(0, fenced.index).trimEnd().replace(/:$/, "");
    const after = text.slice(fenced.index + fenced[0].length);
    return { commands: `${before}\n${after}`, block: fenced[1] ?? "" };
  }
  const gap = /:[^\S\n]*\n|\n[^\S\n]*\n/.exec(text);
  if (gap === null || !/\bthe data\b/i.test(text.slice(0, gap.index))) {
    return { commands: text, block: null };
  }
  const block = text.slice(gap.index + gap[0].length).trim();
  return { commands: text.slice(0, gap.index), block };
}

function commandOf(masked: Masked, text: string, start: number, data: string | null): Command {
  const [, first = "", rest = ""] = /^([a-z]+)(?:\s+(.*))?$/is.exec(text) ?? [];
  const word = first.toLowerCase();
  const verb = isVerb(word) ? word : null;
  const piece = new Piece(masked, start, verb);
  const says = piece.written(text);
  if (verb === null) return piece.fail(`"${says.split(/\s/, 1)[0]}" is not a command`);
  return { says, action: actionOf(piece, verb, rest, data) };
}

function actionOf(piece: Piece, verb: Verb, text: string, data: string | null): Action {
  switch (verb) {
    case "open":
      return { kind: "open", url: urlOf(piece, text) };
    case "say":
      return { kind: "say", text: piece.literal(text, "quote") ?? piece.written(text) };
    case "ask": {
      const question = piece.literal(text, "quote");
      return question === null
        ? piece.fail("a question in quotes is expected")
        : { kind: "ask", question };
    }
    case "run": {
      const code = piece.literal(text, "block");
      return code === null
        ? piece.fail("code in a fenced block is expected")
        : { kind: "run", code };
    }
    case "send":
      return sendOf(piece, text);
    case "save":
      return saveOf(piece, text);
    case "mail":
      return mailOf(piece, text);
    case "wait":
      return waitOf(piece, text);
    default:
      return { kind: "query", query: parseQuery(piece, verb, text, data) };
  }
}

function urlOf(piece: Piece, text: string): string {
  return (
    piece.literal(text, "url", "reference") ??
    piece.fail(`"${piece.written(text)}" is not an address`)
  );
}

function sendOf(piece: Piece, text: string): Action {
  const [, word, url = "", body] = /^(\w+) (\S)(?: with (.+))?$/is.exec(text) ?? [];
  const method = METHODS.find((name) => name === word?.toUpperCase());
  if (method === undefined) return piece.fail("a method and an address are expected");
  const sent = { kind: "send" as const, method, url: urlOf(piece, url) };
  if (body === undefined) return { ...sent, body: { kind: "none" } };
  if (/^the result$/i.test(body)) return { ...sent, body: { kind: "result" } };
  const json = piece.literal(body, "json");
  return json === null
    ? piece.fail("valid JSON, or the result, is expected")
    : { ...sent, body: { kind: "json", text: json } };
}

function saveOf(piece: Piece, text: string): Action {
  const [, name = ""] = /^as (\S+|.)$/is.exec(text) ?? [];
  const filename = piece.literal(name, "quote") ?? name;
  const extension = /\.(\w+)$/.exec(filename)?.[1]?.toLowerCase();
  const format = FILE_FORMATS.find((known) => known === extension);
  if (format === undefined)
    return piece.fail("a file's name with .xlsx, .csv or .json is expected");
  return { kind: "save", filename, format };
}

function mailOf(piece: Piece, text: string): Action {
  const [, recipients = "", title] = /^to (.+?)(?: subject (.+))?$/is.exec(text) ?? [];
  const to = piece.phrases(recipients, "an address");
  const wrong = to.find((address) => !/^(?:[^\s@]+@[^\s@]+\.[^\s@]+|\{\{.*\}\})$/.test(address));
  if (wrong !== undefined) return piece.fail(`"${wrong}" is not an e-mail address`);
  return {
    kind: "mail",
    to,
    subject: title === undefined ? null : piece.phrase(title, "a subject"),
  };
}

const SECONDS: Record<string, number | undefined> = { minute: 60, hour: 3_600, day: 86_400 };
const MAX_WAIT_SECONDS = 90 * 86_400;
const WAIT =
  /^until (ep_\w+|\S) receives an event whose (.+?)(?:,? for at most (\d+) (minute|hour|day)s?)?$/is;

function waitOf(piece: Piece, text: string): Action {
  const [, endpoint = "", tests, count = "1", unit = "day"] = WAIT.exec(text) ?? [];
  const endpointId = piece.literal(endpoint, "reference", "quote") ?? endpoint;
  if (endpoint === "") return piece.fail("an endpoint and a test of its events are expected");
  const timeoutSeconds = Number(count) * (SECONDS[unit.toLowerCase()] ?? 0);
  if (timeoutSeconds < 1 || timeoutSeconds > MAX_WAIT_SECONDS) {
    return piece.fail("at most 90 days can be waited");
  }
  const where = testsOf(piece, tests);
  const wrong = where.find(({ test }) => /with|contains|empty/.test(test))?.test;
  if (wrong !== undefined) return piece.fail(`events cannot be tested by "${wrong}"`);
  return { kind: "wait", endpointId, where, timeoutSeconds };
}
