import type { DraftPart, Template } from "../program.ts";
import type { PhraseMatch } from "../text/phrases.ts";
import { isBlank } from "./blank.ts";
import type { Clause } from "./clauses.ts";
import { Cover } from "./cover.ts";
import { type DraftState, type Mail, REFERENCES } from "./draft-state.ts";
import { saveFile } from "./file-clauses.ts";
import { type Stop, stop } from "./stop.ts";

/** Whether a clause sends an e-mail. */
export function isMail(state: DraftState, start: number, { to }: Clause): boolean {
  const first = state.word(start);
  const second = state.tokens[start + 1]?.text.toLowerCase() ?? "";
  if (first === "email" && /^(?:and|or|address|addresses|of|,|\.|\?)$/.test(second)) return false;
  if (/^(?:email|notify|forward|inform|alert)$/.test(first)) return true;
  const next = state.tokens
    .slice(start, Math.min(to, start + 5))
    .map((token) => (token.kind === "word" ? token.word : ""));
  return (
    /^(?:send|write|compose|mail)$/.test(first) &&
    next.some((word) => /^(?:email|mail)$/.test(word))
  );
}

/** "and put Bob in cc": adds a copy to the last e-mail. */
export function addCopies(state: DraftState, { from, to }: Clause, start: number): boolean {
  const mail = state.lastMail();
  const words = state.tokens.slice(from, to);
  const isCopy =
    words.some(({ text }) => /^(?:cc|copy)$/i.test(text)) &&
    /^(?:put|add|copy|cc|with|in)$/.test(state.word(start));
  const copies = words.flatMap((token) => (token.kind === "email" ? [token.address] : []));
  if (!isCopy || mail === null || copies.length === 0 || mail.origin.to < from - 4) return false;
  const rest = words.slice(
    words.findLastIndex(({ text, kind }) => kind === "email" || /^(?:cc|copy)$/i.test(text)) + 1,
  );
  const at = rest.findIndex(({ text }) => text.toLowerCase() === "subject");
  const subject = at < 0 ? "" : subjectAfter(state, to - rest.length + at + 1, to);
  if (subject !== "") mail.subject = subject;
  else if (!isBlank(rest)) return false;
  mail.cc.push(...copies);
  mail.says = sayMail(mail);
  return true;
}

/** "Subject: Goods of today", "the subject should be Tips". */
export function subjectClause(state: DraftState, { from, to }: Clause): Stop | null {
  const mail = state.lastMail();
  const at = state.tokens.findIndex(
    (token, index) => index >= from && token.text.toLowerCase() === "subject",
  );
  const subject = subjectAfter(state, at + 1, to);
  if (mail === null || subject === "")
    return stop("It is not clear of which e-mail that is the subject.");
  mail.subject = subject;
  mail.says = sayMail(mail);
  return null;
}

/** Returns the text that follows the word "subject". */
function subjectAfter(state: DraftState, from: number, to: number): string {
  let at = from;
  while (at < to && /^(?:line|is|:|should|must|be|reads)$/i.test(state.tokens[at]?.text ?? ""))
    at += 1;
  const quote = state.tokens[at];
  if (quote?.kind === "quote")
    return at + 1 === to || state.tokens[at + 1]?.kind === "mark" ? quote.value : "";
  return state.tokens
    .slice(at, to)
    .map(({ text }) => text)
    .join(" ")
    .replace(/ (?=[,.:;!?'’])/g, "")
    .replace(/[,;]$/, "");
}

/** Attaches a file to the last e-mail. */
export function attachClause(state: DraftState, cover: Cover): Stop | null {
  const mail = state.lastMail();
  const found = cover.take(["attach", "object"]);
  if (mail === null || !isBlank(cover.restTokens(), REFERENCES)) return state.unknownEffect(cover);
  const file = state.fileNamed(found);
  if (file === null) return stop("There is no file to attach.");
  mail.attachments.push(file.id);
  return null;
}

/** Reads a clause that sends an e-mail. */
export function mailClause(
  state: DraftState,
  cover: Cover,
  start: number,
  isMailed = false,
): Stop | null {
  const opened = cover.takeAt(["mail"], start);
  const subject = cover.take(["subject"]).flatMap(quotes)[0] ?? null;
  const body = cover.take(["body"]).flatMap(quotes)[0] ?? null;
  const attach = cover.take(["attach"]);
  const cc = cover.take(["mailcc"]).flatMap(addresses);
  const targets = cover.take(["mailto"]);
  // "the workbook" is one that was made before; "as a workbook" makes one.
  const files = cover.take(
    ["file"],
    ({ argument, from }) => argument !== "name" && /^(?:as|in|into|a|an)$/.test(state.word(from)),
  );
  if (opened !== null) cover.take(["mailvia"]);
  cover.take(["intext"]);
  const bareSubject = subject === null ? bareSubjectOf(state, cover) : null;
  const [target, nextTarget] = targets;
  if (target !== undefined && nextTarget !== undefined) {
    return severalMails(state, cover.clause, start, target.to);
  }
  const to = [...(opened === null ? [] : addresses(opened)), ...targets.flatMap(addresses)];
  const mailWords = opened === null ? cover.take(["mail"]) : [];
  if (opened === null && mailWords.length === 0 && !isMailed) return state.unknownEffect(cover);
  state.coverEdges(cover, ["listing"]);
  const objects = state.coverEdges(cover, ["object"]);
  state.coverEdges(cover, ["listing"]);
  const sendsFile = objects.some(({ from, to: end }) =>
    state.tokens
      .slice(from, end)
      .some(({ text }) => /^(?:file|workbook|spreadsheet|csv)$/i.test(text)),
  );
  if (sendsFile && state.fileNamed([]) !== null) attach.push(...objects);
  // "email report.xlsx to Ann": a file that was made before.
  attach.push(...cover.take(["attachment"], (match) => state.fileNamed([match]) !== null));
  const before = [...state.fresh];
  const part = state.requestPart(cover, "auto");
  if (to.length === 0) to.push(...state.answered);
  if (to.length === 0) {
    return stop("The prompt does not say to which e-mail address to send it.", {
      question: "Which e-mail address should I send it to?",
    });
  }
  if (to.length > 10) return stop("An e-mail has at most ten recipients.");
  const parts = mailParts(state, part, before);
  const attachments: string[] = [];
  if (files.length > 0) {
    const saved = saveFile(state, files, parts, cover);
    if (saved !== null) return saved;
    attachments.push(state.fileNamed([])?.id ?? "");
  } else if (attach.length > 0) {
    const file = state.fileNamed(attach);
    if (file === null)
      return stop("There is no file to attach.", { suggestion: "Say which file to make first." });
    attachments.push(file.id);
  }
  const template: Template = [
    ...(body === null ? [] : [{ text: body }]),
    ...parts.map((id) => ({ part: id })),
  ];
  state.needs.add("send_email");
  state.deliveries.push({
    id: `d${state.deliveries.length + 1}`,
    says: sayMail({ to, cc, subject: subject ?? bareSubject }),
    when: state.condition,
    origin: { from: cover.clause.from, to: cover.clause.to },
    kind: "mail",
    to,
    cc,
    subject: subject ?? bareSubject,
    body: template,
    attachments,
  });
  return null;
}

/** "Mail X to A and Y to B": a clause for each e-mail, split at the "and" after the first address. */
function severalMails(
  state: DraftState,
  clause: Clause,
  start: number,
  after: number,
): Stop | null {
  const joint = state.tokens.findIndex(
    ({ text }, at) => at >= after && at < clause.to && /^(?:and|,|;)$/i.test(text),
  );
  if (joint < 0) return stop("It is not clear which e-mail says what.");
  const first = mailClause(state, new Cover(state.tokens, { ...clause, to: joint }), start);
  const rest = { ...clause, from: joint + 1, opens: false };
  return first ?? mailClause(state, new Cover(state.tokens, rest), rest.from, true);
}

/** Covers ", subject Tips" to the end of the clause, and returns the subject. */
function bareSubjectOf(state: DraftState, cover: Cover): string | null {
  const { from, to } = cover.clause;
  for (let at = from; at < to; at += 1) {
    if (cover.isCovered(at) || state.word(at) !== "subject") continue;
    let end = at + 1;
    while (end < to && !cover.isCovered(end)) end += 1;
    const subject = subjectAfter(state, at + 1, end);
    if (subject === "") return null;
    cover.cover(/^(?:the|with|and)$/.test(state.word(at - 1)) ? at - 1 : at, end);
    return subject;
  }
  return null;
}

/** Returns the parts that a mail tells: its own, else those before it that were not delivered yet. */
function mailParts(state: DraftState, own: DraftPart | null, before: readonly string[]): string[] {
  if (own !== null) return [own.id];
  if (state.condition !== null) return [state.condition.part];
  return state.lastPartsOr(before);
}

/** States an e-mail in English. */
export function sayMail({ to, cc, subject }: Pick<Mail, "to" | "cc" | "subject">): string {
  const about = subject === null ? "" : ` with the subject "${subject}"`;
  return `send an e-mail to ${[...to, ...cc].join(", ")}${about}`;
}

function quotes({ literals }: PhraseMatch): string[] {
  return literals.flatMap((token) => (token.kind === "quote" ? [token.value] : []));
}

function addresses({ literals }: PhraseMatch): string[] {
  return literals.flatMap((token) => (token.kind === "email" ? [token.address] : []));
}
