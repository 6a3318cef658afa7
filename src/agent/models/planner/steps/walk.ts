import type { Json } from "../../../../contract/json.ts";
import { type Part, textPart } from "../answer/parts.ts";
import { placeOf } from "../answer/words.ts";
import type { Desk } from "../desk.ts";
import { says } from "../plan/clause.ts";
import { notRunHere } from "../plan/refusals.ts";
import type { Ask, Goal } from "../plan/types.ts";
import type { Page } from "../view/pages.ts";
import { remotePart } from "./call-remote.ts";
import { MAX_PAGES, type Opened, openPages } from "./open.ts";
import type { Room } from "./process.ts";
import { resolveAsk } from "./resolve.ts";
import { codePart } from "./run-code.ts";
import { unlike } from "./unlike.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

/** What the plan came to, as far as the answers carry it. */
export interface Worked {
  parts: Part[];
  pages: Page[];
  /** Sentences about what was done to the data first. */
  said: string[];
  failures: string[];
  /** Sentences about words of the prompt that were not understood. */
  notes: string[];
  /** The whole lists that files hold, beside an answer that was worked out of them. */
  lists: Part[];
  /** Whether what is to be sent may be. */
  verdict: Verdict;
}

/** The label of the piece that tells of screenshots; its sources hold the files. */
export const SCREENSHOT = "screenshot";

type Work = Extract<Goal, { kind: "work" }>;

function roomOf(goal: Work, desk: Desk, failures: string[]): Room {
  const { form, strings, orders } = goal;
  const perPage = orders.workbook?.perPage ?? false;
  return { desk, form, strings, failures, cleaning: orders.cleaning, perPage };
}

/** Walks the plan as far as the answers carry; null when calls are to be made first. */
export function walk(goal: Work, desk: Desk, inputs: Json): Worked | null {
  const worked: Worked = {
    parts: [],
    pages: [],
    said: [],
    failures: [],
    notes: [],
    lists: [],
    verdict: { kind: "free" },
  };
  const visited = new Set<string>();
  const { code } = goal.orders;
  const opened = goal.asks.map((ask) => ({
    ask,
    opened: openPages(ask, desk, visited, goal.orders.rendering),
  }));
  const deciding = goal.conditions.map((ask) => ({
    ask,
    opened: openPages(ask, desk, visited, goal.orders.rendering),
  }));
  worked.failures.push(...opened.flatMap((one) => one.opened.failures));
  if (opened.some((one) => one.opened.limited))
    worked.failures.push(`A run opens ${MAX_PAGES} pages at most; the others were left out.`);
  worked.failures = [...new Set(worked.failures)];
  if (desk.lacking.size > 0) return null;
  worked.pages = opened.flatMap((one) => one.opened.pages);
  let waiting = [...opened, ...deciding].some((one) => one.opened.waiting);
  if (code?.kind === "run") {
    if (waiting) return null;
    const read = opened.map((one) => ({ ask: one.ask, pages: one.opened.pages }));
    const part = codePart(code, read, inputs, roomOf(goal, desk, []));
    if (part === null) return null;
    const { condition } = goal.orders;
    const verdict = verdictOf(condition, { parts: [], sure: true }, [part]);
    return { ...worked, parts: [part], verdict };
  }
  const { remote } = goal.orders;
  if (remote !== null) {
    const part = remotePart(remote, desk);
    if (part === null) return null;
    worked.parts.push(part);
  }
  if (code?.kind === "foreign") worked.notes.push(notRunHere(code.language));
  for (const { ask, opened: found } of opened) {
    if (found.waiting || found.pages.length === 0) continue;
    const parts = answersTo(ask, found, goal, desk, worked);
    waiting ||= parts.includes(null);
    worked.parts.push(...parts.filter((part) => part !== null));
    if (!goal.orders.wholeList) continue;
    const lists = resolveAsk(
      { ...ask, text: "list the table", wants: [], paths: [] },
      found.pages,
      sheetRoom(ask, found, goal, desk),
    ).parts;
    waiting ||= lists.includes(null);
    worked.lists.push(...lists.filter((part) => part !== null));
  }
  const asked: { parts: Part[]; sure: boolean } = { parts: [], sure: true };
  for (const { ask, opened: found } of deciding) {
    if (found.waiting || found.pages.length === 0) continue;
    const room = roomOf({ ...goal, form: "auto" }, desk, []);
    const { parts, notes } = resolveAsk(ask, found.pages, { ...room, perPage: false });
    waiting ||= parts.includes(null);
    asked.parts.push(...parts.filter((part) => part !== null));
    if (notes.length > 0) asked.sure = false;
  }
  if (waiting) return null;
  const { condition } = goal.orders;
  return { ...worked, verdict: verdictOf(condition, asked, worked.parts) };
}

function answersTo(
  ask: Ask,
  found: Opened,
  goal: Work,
  desk: Desk,
  worked: Worked,
): (Part | null)[] {
  const shots = found.shots.length === 0 ? [] : [screenshotPart(found.shots)];
  const only = shots.length > 0 && ask.wants.length === 0 && !says(ask.text);
  if (only) return shots;
  const { parts, said, notes } = resolveAsk(ask, found.pages, sheetRoom(ask, found, goal, desk));
  worked.said.push(...said);
  worked.notes.push(...notes);
  return [...shots, ...parts];
}

/** Each page is answered by itself where each gets a sheet, as it also does when they are unlike. */
function sheetRoom(ask: Ask, { pages, failures }: Opened, goal: Work, desk: Desk): Room {
  const room = roomOf(goal, desk, failures);
  const apart = goal.orders.workbook?.format === "xlsx" && ask.request === null;
  return { ...room, perPage: room.perPage || (apart && unlike(ask, pages, room)) };
}

/** The files themselves are outputs of the calls that took them. */
function screenshotPart(pages: Page[]): Part {
  const urls = pages.map(({ url }) => url);
  const data: Json = urls.length === 1 ? (urls[0] ?? null) : urls;
  const sources = pages.flatMap(({ callId }) => callId ?? []);
  return textPart(SCREENSHOT, `Took a screenshot of ${placeOf(pages)}.`, data, sources);
}
