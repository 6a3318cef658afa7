import type { Extraction } from "../../../../contract/tools/process-data.ts";
import { extractFrom } from "../../../tools/process-data/extract.ts";
import { followPath } from "../../../tools/process-data/json.ts";
import { failedPart, type Part } from "../answer/parts.ts";
import { textWant } from "../answer/text-parts.ts";
import { placeOf } from "../answer/words.ts";
import { answered } from "../answer/yes-no.ts";
import { readQuery } from "../bind/query.ts";
import { singular } from "../language/normalize.ts";
import type { Ask, Want } from "../plan/types.ts";
import type { Reading } from "../view/choose.ts";
import type { Page } from "../view/pages.ts";
import { sectionsOf } from "../view/sections.ts";
import type { Sheet } from "../view/sheets.ts";
import { cleanPages } from "./clean.ts";
import { fallback, questionPart } from "./fallback.ts";
import { honest } from "./honest.ts";
import { LISTS, listPart } from "./lists.ts";
import { type Room, run } from "./process.ts";
import { alsoRecords, coveredBy, meant, ofWholePages, readRecords } from "./records.ts";

function missingPart(reading: Reading, label: string): Part {
  const { query, sheet } = reading;
  if (query.unclear !== null) {
    const known = `the columns are: ${sheet.columns.join(", ")}`;
    const what = query.unclear === "every" ? "what is asked of all rows" : "which rows are to go";
    return failedPart(label, `I did not understand ${what}; ${known}.`);
  }
  const odd = query.missing.filter((name) => /\d/.test(name));
  if (odd.length > 0) {
    const said = odd.map((name) => `"${name}"`).join(", ");
    const known = `the columns of ${placeOf(sheet.pages)} are: ${sheet.columns.join(", ")}`;
    return failedPart(label, `I did not understand what ${said} is to be compared with; ${known}.`);
  }
  const names = query.missing.map((name) => `"${name}"`).join(", ");
  return failedPart(
    label,
    `There is no column ${names} in ${placeOf(sheet.pages)}; the columns are: ${sheet.columns.join(", ")}.`,
  );
}

/** The value that a written-out path leads to in a JSON answer. */
function pathPart(ask: Ask, pages: Page[], room: Room): { part: Part | null } | null {
  for (const page of pages) {
    const json = page.source.json();
    if (json === undefined) continue;
    for (const path of ask.paths) {
      const reached = followPath(json, path);
      const extract: Extraction = { kind: "json", path };
      const extracted = reached.ok ? extractFrom(page.source, extract) : null;
      if (extracted?.ok !== true) continue;
      const { columns, rows } = extracted.value.table;
      const name = path.split(".").at(-1) ?? path;
      const sheet: Sheet = {
        kind: "json",
        sources: [page.from],
        extract,
        columns,
        rows,
        name,
        pages: [page],
      };
      return { part: run(sheet, readQuery("", columns, rows, []), name, "row", room) };
    }
  }
  return null;
}

/** A piece that speaks of one page among several. */
function ofPage(part: Part | null, page: Page): Part | null {
  if (part === null || page.url === "") return part;
  const said = part.summary.includes(page.url) ? part.summary : `${page.url}: ${part.summary}`;
  return { ...part, label: page.url, summary: said };
}

/** Words by which each page is asked on its own. */
const APART =
  /\b(?:separately|individually|(?:for|on|of) each (?:page|site|url|shop|one)|per (?:page|site|shop))\b/;

/** What an ask came to. */
export interface Resolved {
  /** Null entries are under way. */
  parts: (Part | null)[];
  /** Sentences about what was done to the data first. */
  said: string[];
  /** Sentences about what of the ask was not understood. */
  notes: string[];
}

/** The pieces of the answer to one ask. */
export function resolveAsk(ask: Ask, pages: Page[], room: Room): Resolved {
  const several = pages.length > 1 && ask.request === null;
  const apart = several && ((APART.test(ask.text) && ask.hops.length === 0) || room.perPage);
  const own = apart ? { ...ask, text: ask.text.replace(APART, " ") } : ask;
  const groups = (apart ? pages.map((page) => [page]) : [pages]).map((group) => {
    const [first] = group;
    const found = groupOf(own, group, room);
    if (!apart || first === undefined) return found;
    return {
      ...found,
      parts: found.parts.map((part) => ofPage(part, first)),
      said: found.said.map((sentence) => `${first.url}: ${sentence}`),
    };
  });
  const parts = groups.flatMap((group) => group.parts);
  const said = groups.flatMap((group) => group.said);
  const ready = parts.filter((part) => part !== null);
  if (ready.length < parts.length) return { parts, said, notes: [] };
  const read = groups.flatMap((group) => group.pages);
  const { parts: told, notes, understood } = honest(ask, ready, read);
  // No yes to a question of which a word was not understood.
  const sure = understood ? told.map((part) => answered(part, ask.text, room.form)) : told;
  return { parts: sure, said, notes };
}

interface Group {
  parts: (Part | null)[];
  /** The pages that the pieces were read off. */
  pages: Page[];
  said: string[];
}

/** The pieces that pages come to together, their rows cleaned first where that was ordered. */
function groupOf(ask: Ask, pages: Page[], room: Room): Group {
  const cleaned = room.cleaning === null ? null : cleanPages(ask, pages, room.cleaning, room);
  if (cleaned === null) return { parts: partsOf(ask, pages, room), pages, said: [] };
  if (cleaned.kind === "waiting") return { parts: [null], pages, said: [] };
  if (cleaned.kind === "as they were") {
    return { parts: partsOf(ask, pages, room), pages, said: [cleaned.said] };
  }
  const whole = ask.wants.filter((want) => ofWholePages(want));
  const beside = whole.length === 0 ? [] : partsOf({ ...ask, wants: whole, text: "" }, pages, room);
  const parts = partsOf({ ...ask, wants: [] }, cleaned.pages, room);
  return { parts: [...beside, ...parts], pages: cleaned.pages, said: [cleaned.said] };
}

/** The pieces of the answer to one ask; null entries are under way. */
function partsOf(ask: Ask, pages: Page[], room: Room): (Part | null)[] {
  const written = pathPart(ask, pages, room);
  if (written !== null) return [written.part];
  const reading = readRecords(ask, pages, room);
  const covered = ask.wants.filter((want) => coveredBy(reading, want));
  const direct = ask.wants.filter((want) => !covered.includes(want) && want.kind !== "records");
  const parts: (Part | null)[] = [];
  const apart =
    pages.length > 1 &&
    (ask.compare ||
      /\bwhich (?:page|site|one|url)\b|\bfor each|\beach (?:page|site)\b|\bper page\b/.test(
        ask.text,
      ));
  for (const named of direct) {
    const want = headlinesOf(named, pages);
    const list = LISTS[want.kind];
    if (list !== undefined && apart) {
      for (const page of pages) parts.push(ofPage(listPart(want, list, ask, [page], room), page));
      continue;
    }
    parts.push(
      list === undefined
        ? withLeftover(textWant(want, pages, room.failures), ask)
        : listPart(want, list, ask, pages, room),
    );
  }
  if (direct.length > 0 && covered.length === 0 && !alsoRecords(reading, direct)) return parts;
  if (reading === null || !meant(reading)) {
    if (direct.length > 0) return parts;
    return ask.request !== null && !/[a-z0-9]/.test(ask.text)
      ? [textWant({ kind: "response" }, pages, room.failures)]
      : [fallback(ask, pages, reading, room)];
  }
  const quoted = questionPart(ask, pages, reading, room);
  if (quoted !== null) return [...parts, quoted];
  const label = reading.sheet.kind === "prices" ? "prices" : "table";
  if (reading.query.missing.length > 0 || reading.query.unclear !== null)
    parts.push(missingPart(reading, label));
  else parts.push(run(reading.sheet, reading.query, label, rowNoun(ask.text), room));
  return parts;
}

/** A page whose only heading is its own has its headlines in a list. */
function headlinesOf(want: Want, pages: Page[]): Want {
  if (want.kind !== "headings" || want.headlines !== true || want.level === 1) return want;
  const bare = pages.every((page) => page.source.headings().length <= 1);
  const listed = pages.some((page) => sectionsOf(page).length > 0);
  return bare && listed ? { kind: "lists" } : want;
}

/** A piece read off the pages as a whole: it used none of the words that are left. */
function withLeftover(part: Part | null, ask: Ask): Part | null {
  if (part === null) return null;
  return { ...part, leftover: { text: ask.text, name: "", kind: "page", operative: false } };
}

/** What one row is called: the word after "how many", else "row". */
function rowNoun(text: string): string {
  const plural =
    /\b(?:how many|number of|count(?: of)?(?: all)?(?: the)?) (?:different |unique |distinct |of the )?([a-z]{3,20}s|people|children)\b/.exec(
      text,
    )?.[1];
  if (plural === undefined || /^(?:rows|times|does|is|has|this|items)$/.test(plural)) return "row";
  return plural === "people" ? "person" : plural === "children" ? "child" : singular(plural);
}
