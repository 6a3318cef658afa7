import type { Json } from "../../../../contract/json.ts";
import type { DraftPart, RequestBody, Template } from "../program.ts";
import { literalsIn, type PhraseMatch } from "../text/phrases.ts";
import type { Token } from "../text/tokens.ts";
import { isBlank } from "./blank.ts";
import type { Clause } from "./clauses.ts";
import type { Cover } from "./cover.ts";
import {
  type DraftState,
  type File,
  type Mail,
  REFERENCES,
  type Stop,
  stop,
} from "./draft-state.ts";
import { filledBody } from "./holes.ts";

const FORMATS: Partial<Record<string, File["format"]>> = {
  ...{ xlsx: "xlsx", xls: "xlsx", csv: "csv", json: "json" },
  ...{ md: "markdown", markdown: "markdown", txt: "text", text: "text" },
};

/** Adds a file of these parts, as the phrases of its clause name it. */
export function saveFile(
  state: DraftState,
  files: readonly PhraseMatch[],
  parts: readonly string[],
  clause: Clause,
): Stop | null {
  const [filename = null] = [
    ...literalsIn(files, "file").map(({ name }) => name),
    ...literalsIn(files, "quote").map(({ value }) => value),
  ];
  const named = files.map(({ argument }) => argument).find((argument) => argument !== "name");
  const extension = filename === null ? named : /[^.]*$/.exec(filename)?.[0].toLowerCase();
  const format = FORMATS[extension ?? ""];
  if (format === undefined) return stop(`This model cannot write ${filename ?? "such a file"}.`);
  if (format !== "xlsx" && parts.length > 1)
    return stop("Several results do not fit one file of that kind.", {
      suggestion: "Name one file for each, or a workbook.",
    });
  state.deliver(
    clause,
    format === "xlsx" || format === "csv" ? "write_spreadsheet" : "emit_output",
    {
      kind: "file",
      says: `write ${filename ?? `a ${format} file`}`,
      format,
      filename,
      parts: [...parts],
    },
  );
  return null;
}

/** Whether a clause sends an e-mail. */
export function isMail(state: DraftState, start: number): boolean {
  const first = state.word(start);
  const second = state.tokens[start + 1]?.text.toLowerCase() ?? "";
  if (first === "email") return !/^(?:and|or|address|addresses|of|,|\.|\?)$/.test(second);
  if (/^(?:notify|forward|inform|alert)$/.test(first)) return true;
  const near = [1, 2, 3, 4].map((offset) => state.word(start + offset));
  const isSent = /^(?:send|write|compose)$/.test(first);
  return first === "mail" || (isSent && (near.includes("email") || near.includes("mail")));
}

const addressesIn = (matches: readonly PhraseMatch[]) =>
  literalsIn(matches, "email").map(({ address }) => address);

/** Reads a clause that sends an e-mail. */
export function mailClause(state: DraftState, cover: Cover, start: number): Stop | null {
  const opened = cover.takeAt("mail", start);
  const [quoted] = literalsIn(cover.take("subject"), "quote");
  const [taken] = literalsIn(cover.take("body"), "quote");
  const attach = cover.take("attach");
  const cc = addressesIn(cover.take("mailcc"));
  const targets = cover.take("mailto");
  // "the workbook" is one that was made before; "as a workbook" makes one.
  const files = cover.take(
    "file",
    ({ argument, from }) => argument !== "name" && /^(?:as|in|into|a|an)$/.test(state.word(from)),
  );
  cover.take(opened === null ? "intext mail" : "mailvia intext");
  const subject = quoted?.value ?? bareSubject(state, cover);
  if (targets.length > 1) return stop("It is not clear which e-mail says what.");
  const isMailed = opened !== null || cover.own().some(({ text }) => /^e?-?mail$/i.test(text));
  if (!isMailed) return state.unknownEffect(cover);
  state.coverObjects(cover, "listing");
  const covered = cover.restTokens().length;
  const sendsFile = state.coverObjects(cover, "object") && state.fileNamed(undefined) !== null;
  const namesObject = cover.restTokens().length < covered;
  state.coverObjects(cover, "listing");
  // "email report.xlsx to Ann": a file that was made before.
  const made = (match: PhraseMatch) =>
    state.fileNamed(literalsIn([match], "file")[0]?.name) !== null;
  attach.push(...cover.take("attachment", made));
  const before = [...state.fresh];
  // "mail Ann 'All fine'"
  const [only, other] = cover.restTokens().filter(({ kind }) => kind !== "mark");
  const said = only?.kind === "quote" && other === undefined ? only : undefined;
  if (said !== undefined) cover.cover(cover.clause.from, cover.clause.to);
  const body = taken ?? said;
  const reads = cover.own().some(({ kind }) => kind === "url");
  // "Mail the table on URL to Ann": the whole table.
  const isWhole = reads && body === undefined && before.length === 0 && state.condition === null;
  const part =
    state.requestPart(cover, "auto") ??
    (isWhole
      ? state.addPart({ sourceIds: state.context, request: cover.rest(), form: "auto" })
      : null);
  const to = [...addressesIn(opened === null ? targets : [opened, ...targets])];
  if (to.length === 0) to.push(...state.answered);
  if (to.length === 0) {
    return stop("The prompt does not say to which e-mail address to send it.", {
      question: "Which e-mail address should I send it to?",
    });
  }
  if (to.length > 10) return stop("An e-mail has at most ten recipients.");
  // Its own part, else what the condition found, else what was not delivered yet.
  const condition = state.condition === null ? [] : [state.condition.part];
  const known =
    condition.length === 0
      ? state.lastPartsOr(before)
      : body !== undefined && !namesObject
        ? []
        : condition;
  const parts = part === null ? known : [part.id];
  const saved = files.length > 0 ? saveFile(state, files, parts, cover.clause) : null;
  if (saved !== null) return saved;
  const isAttached = files.length + attach.length > 0 || sendsFile;
  const file = isAttached ? state.fileNamed(literalsIn(attach, "file")[0]?.name) : null;
  if (isAttached && file === null)
    return stop("There is no file to attach.", { suggestion: "Say which file to make first." });
  const text: Template = body === undefined ? [] : [{ text: body.value }];
  state.deliver(cover.clause, "send_email", {
    kind: "mail",
    says: sayMail({ to, cc, subject }),
    to,
    cc,
    subject,
    body: [...text, ...parts.map((id) => ({ part: id }))],
    attachments: file === null ? [] : [file.id],
  });
  return null;
}

/** Covers ", subject Tips" to the end of the clause, and returns the subject. */
function bareSubject(state: DraftState, cover: Cover): string | null {
  const { from, to } = cover.clause;
  const at = state.tokens.findIndex(
    (_, place) => place >= from && state.word(place) === "subject" && !cover.isCovered(place),
  );
  if (at < 0 || at >= to) return null;
  let start = at + 1;
  while (
    start < to &&
    /^(?:line|is|:|should|must|be|reads)$/i.test(state.tokens[start]?.text ?? "")
  )
    start += 1;
  let end = start;
  while (end < to && !cover.isCovered(end)) end += 1;
  cover.cover(/^(?:the|with|and)$/.test(state.word(at - 1)) ? at - 1 : at, end);
  const quote = state.tokens[start];
  if (quote?.kind === "quote") return quote.value;
  const said = state.textOf([{ from: start, to: end }]).replace(/ (?=[,.:;!?'’])/g, "");
  return said === "" ? null : said.replace(/[,;]$/, "");
}

/** "Subject: Goods of today", "put Bob in cc", "attach the file": changes the last e-mail; null if none is meant. */
export function mailChange(state: DraftState, cover: Cover, start: number): Stop | "done" | null {
  const mail = state.lastMail();
  const word = state.word(state.word(start) === "the" ? start + 1 : start);
  if (mail === null || !/^(?:subject|put|add|copy|cc|with|in|attach)$/.test(word)) return null;
  const found = cover.take("attach");
  const file = found.length > 0 ? state.fileNamed(literalsIn(found, "file")[0]?.name) : null;
  const isCopy = cover.own().some(({ text }) => /^(?:cc|copy)$/i.test(text));
  const subject = bareSubject(state, cover);
  const copies = isCopy
    ? cover.own().flatMap((token) => (token.kind === "email" ? [token.address] : []))
    : [];
  if (file === null && subject === null && copies.length === 0) return null;
  if (file !== null) mail.attachments.push(file.id);
  mail.cc.push(...copies);
  mail.subject = subject ?? mail.subject;
  mail.says = sayMail(mail);
  const rest = cover
    .restTokens()
    .filter(({ kind, text }) => kind !== "email" && !/^(?:cc|copy|put|add)$/i.test(text));
  return isBlank(rest, REFERENCES) ? "done" : state.unknownEffect(cover);
}

/** States an e-mail in English. */
export function sayMail({ to, cc, subject }: Pick<Mail, "to" | "cc" | "subject">): string {
  const about = subject === null ? "" : ` with the subject "${subject}"`;
  return `send an e-mail to ${[...to, ...cc].join(", ")}${about}`;
}

const METHOD = /^(?:post|put|patch|delete)$/;

/** Whether a clause sends an HTTP request. */
export function isRequest(state: DraftState, start: number, { to }: Clause): boolean {
  const first = state.word(start);
  const own = state.tokens.slice(start, to);
  const urls = own.flatMap(({ kind }, at) => (kind === "url" ? [start + at] : []));
  if (urls.length === 0) return false;
  if (/^(?:post|submit|patch|delete|push)$/.test(first)) return true;
  const isAimed = urls.some((at) => /^(?:to|at)$/.test(state.word(at - 1)));
  if (first === "put")
    return own.some(({ kind, text }) => kind === "data" || (isAimed && text === "PUT"));
  if (/^(?:send|deliver)$/.test(first))
    return urls.some((at) => /^(?:to|at|webhook|endpoint|api|hook)$/.test(state.word(at - 1)));
  const isNamed = own.some(({ text }) => METHOD.test(text.toLowerCase()));
  return isNamed && /^(?:call|invoke|make|do|perform|issue)$/.test(first);
}

/** Reads a clause that sends an HTTP request. */
export function requestClause(state: DraftState, cover: Cover, start: number): Stop | null {
  const opened = cover.takeAt("request", start) ?? cover.takeAt("save mail", start);
  if (opened === null) return state.unknownEffect(cover);
  const [said] = cover.take("method");
  const named = said?.argument ?? (opened.type === "request" ? opened.argument : "POST");
  const method = named === "PUT" || named === "PATCH" || named === "DELETE" ? named : "POST";
  const into = cover.take("into");
  const targets = into.length > 0 ? into : cover.take("bare");
  const url = literalsIn(targets, "url").at(-1)?.url;
  const bodies = cover.take("requestbody");
  cover.take("requestform");
  state.coverObjects(cover, "object");
  state.sourcesOf(cover);
  if (url === undefined || targets.length !== 1)
    return stop("It is not clear where the request goes.");
  const before = [...state.fresh];
  const part = state.requestPart(cover, "auto");
  const isPlain = bodies.length > 0 || (method === "DELETE" && before.length === 0);
  const body = requestBody(state, literalsIn(bodies, "data")[0], part, before, isPlain);
  if (body === null) return stop("It is not clear what the request's body is.");
  const says = `send ${method} ${url}`;
  state.deliver(cover.clause, "http_request", { kind: "request", says, method, url, body });
  return null;
}

function requestBody(
  state: DraftState,
  data: Extract<Token, { kind: "data" }> | undefined,
  own: DraftPart | null,
  before: readonly string[],
  isPlain: boolean,
): RequestBody | null {
  const parts = own === null ? state.lastPartsOr(before) : [own.id];
  if (data !== undefined) {
    if (data.format !== "json") return null;
    // The body is not read.
    const isBody = (source: DraftState["sources"][number]) =>
      source.kind === "inline" && source.data === data.data;
    const at = state.sources.findIndex(isBody);
    if (at >= 0) state.sources.splice(at, 1);
    const value: Json = JSON.parse(data.data);
    const known = state.parts.filter(({ id }) => parts.includes(id) || parts.length === 0);
    const named = known.map(({ id, request }) => ({ id, words: state.textOf(request) }));
    const body = filledBody(value, named);
    // What the clause itself asks for must stand in the body.
    return own === null || body?.kind === "template" ? body : null;
  }
  if (own === null && isPlain) return { kind: "none" };
  const [only, second] = parts;
  if (only === undefined) return null;
  const isOne = second === undefined;
  return { kind: "parts", fields: parts.map((part) => ({ name: isOne ? null : part, part })) };
}
