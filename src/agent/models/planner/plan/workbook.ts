import type { Reading, Sentence } from "../language/reading.ts";
import { type SheetOrder, SOME_SHEETS, takeSheetNames, takeSplit } from "./sheets.ts";
import { type Taken, without } from "./taken.ts";

/** A file or a Google Sheet that the rows are to be written to. */
export interface WorkbookOrder {
  format: "xlsx" | "csv" | "google_sheet";
  /** As the prompt has it; null when it names none. */
  filename: string | null;
  /** Whether each page gets a sheet of its own. */
  perPage: boolean;
  /** Sheets beyond that: by the pages' names, or by a column's values. */
  sheets: SheetOrder;
  /** Of a Google Sheet that is written out. */
  spreadsheetId: string | null;
  /** The tab of a Google Sheet. */
  tab: string | null;
  /** Whether to append is all that was asked for: the rows are found for it alone. */
  whole: boolean;
  /** The last message that spoke of it. */
  message: number;
}

const KIND = String.raw`(?:(?:microsoft|ms|new|single|separate) )*(?:excel|\.?xlsx?|spread ?sheet|workbook|csv)(?:[ -]?(?:file|workbook|spreadsheet|sheet|document|table))?`;
const CALLED = "(?:called|named|titled|with the (?:file ?name|name(?= str))|under the name)";
const FILE = String.raw`str\d+_|(?!(?:and|with|of|to|for|in|as|the|from|on)\b)[\w][\w-]{0,60}(?:\.[\w-]{1,40})*`;

/** A name with its extension; the words before may be part of it where the name is introduced. */
const WITH_END = String.raw`[\w][\w&+-]*(?:[ .][\w&+-]+){0,5}?\.(?:xlsx?|csv)`;
/** A file's name behind the words for it: "a spreadsheet called Prices". */
const NAMED = new RegExp(String.raw`\b(${KIND})\s+${CALLED}\s+(${WITH_END}|${FILE})(?![\w@])`, "i");
/** "call it tea-prices", "name: march invoices", "under the name ledger", "(file name should be x.csv)". */
const INTRODUCED = new RegExp(
  String.raw`[,(]?\s*(?:\band\s+)?(?:\b(?:please\s+)?(?:call|name|title)\s+(?:it|this|that|them|the (?:file|workbook|spreadsheet|result))\s+|\b(?:under|by|with)\s+the\s+(?:file ?)?name(?:\s+of)?\s+|\b(?:the\s+)?(?:file ?)?name(?:\s+(?:of the (?:file|workbook|spreadsheet)\s+)?(?:should be|must be|is|be|shall be))?\s*[:=]\s*|\b(?:the\s+)?file ?name(?:\s+(?:should be|must be|is|be|shall be))?\s+|\b(?:called|named)\s+(?=str|[^,;]{1,60}\.(?:xlsx?|csv)))(str\d+_|${WITH_END}|[\w][\w-]*(?:\s(?!(?:and|with|of|to|for|in|as|the|from|on|please|then|sheet)\b)[\w-]+){0,3})(?![\w@.])\)?`,
  "i",
);
/** A file's name alone: any word with such an extension that is no part of an address. */
const SAVED =
  /(?:(?:[-=]+>|→)\s*)?(?:\b(?:as|to|into|in|called|named|create|make|build|produce|generate|prepare|(?:sheets?|tabs?|worksheets?) (?:of|in))\s+)?(?:\b(?:an? |the ))?(?:\b(?:excel |csv |xlsx )?(?:file|workbook|spreadsheet|attachment) |\b(?:excel|csv|xlsx) )?(?<![\w@/.:-])(str\d+_|[\w][\w.-]{0,100}\.(?:xlsx?|csv))(?![\w@/])/gi;
/** Where such a word is something to look for or to open. */
const SOUGHT =
  /\b(?:links?|ending (?:in|with)|ends? (?:in|with)|contain\w*|mention\w*|open|click(?: on)?|follow|download|find|about|word|text|read)\s+(?:(?:to|for|called|named|the|a|file)\s+)*$/i;
const PER_PAGE =
  /,?\s*(?:\b(?:with|using|and|in|on|having)\s+)?\b(?:(?:one|an?|a separate|separate|own|its own|different)\s+(?:sheets?|tabs?|worksheets?)\s+(?:per|for each|for every|for|of each)\s+(?:of (?:the|these|those) )?(?:pages?|sites?|urls?|addresse?s?|shops?|suppliers?|sources?|stores?|web ?sites?|ones?|lists?)|(?:each|every)\s+(?:page|site|url|shop|supplier|source|list|one)\s+(?:in|on|as|gets?|into)\s+(?:an?|its|his|one)?\s*(?:own |separate |different )?(?:sheet|tab|worksheet)(?: of its own)?|(?:on|in|into)\s+(?:an?\s+|its\s+|their\s+)?(?:separate|own)\s+(?:sheets?|tabs?|worksheets?))\b/i;

const INTO = "(?:to|into|in|on|onto)";
const GOOGLE = new RegExp(
  String.raw`(?:\b(?:append|add|write|push|put|insert|save|export|send|log|store|copy|upload)\s+(?:(?:it|them|this|that|these|those|everything|(?:all )?(?:the|these|those|all) (?:rows?|results?|data|table|list|records|entries|values|items))\s+)?)?\b${INTO}\s+(?:the end of\s+)?(?:the|my|our|an?|this|that)?\s*(?:configured |shared |existing |team )?google\s*(?:spread)?\s*sheets?(?:\s+(?:spreadsheet|document))?(?:\s+(?:with (?:the )?id\s+)?([\w-]{20,100}))?(?:\s+(?:at\s+)?(url\d+_))?`,
  "i",
);
const SHEET_URL = new RegExp(
  String.raw`(?:\b(?:append|add|write|push|put|insert|save|export|send)\s+(?:(?:it|them|this|that|everything|(?:the|all|all the) (?:rows|results?|data|table|list))\s+)?)?\b${INTO}\s+(?:the (?:sheet|spreadsheet) (?:at )?)?(url\d+_)`,
  "i",
);
const TAB =
  /,?\s*(?:\b(?:in|on|into|to|using|under)\s+)?(?:the\s+)?\b(?:(?:tab|worksheet|sheet)\s+(?:called |named )?(str\d+_|[\w]{1,50})|(str\d+_)\s+(?:tab|worksheet|sheet))(?=\s|$|,)/i;
const GOOGLE_ID = /^https:\/\/docs\.google\.com\/spreadsheets\/d\/([\w-]{10,100})/;

/** What an order has where the prompt says no more than that there is to be a file. */
export const NO_FILE: Omit<WorkbookOrder, "format" | "message"> = {
  filename: null,
  perPage: false,
  sheets: { names: [], by: null },
  spreadsheetId: null,
  tab: null,
  whole: false,
};

function formatOf(words: string): "xlsx" | "csv" {
  return /csv/i.test(words) ? "csv" : "xlsx";
}

function spelled(name: string, strings: readonly string[]): string {
  return name.replace(/str(\d+)_/g, (_raw, at: string) => strings[Number(at)] ?? "").trim();
}

function sheetId(token: string | undefined, reading: Reading): string | null {
  const at = /^url(\d+)_$/.exec(token ?? "")?.[1];
  return at === undefined
    ? null
    : (GOOGLE_ID.exec(reading.addresses[Number(at)] ?? "")?.[1] ?? null);
}

interface Found {
  raw: string;
  order: Omit<WorkbookOrder, "message">;
}

function googleSheet(raw: string, reading: Reading): Found | null {
  const direct = SHEET_URL.exec(raw);
  const linked = sheetId(direct?.[1], reading);
  const match = linked === null ? GOOGLE.exec(raw) : direct;
  if (match === null) return null;
  const rest = raw
    .replace(match[0], " , ")
    .replace(/^(\W*(?:please )?)(?:append|add|insert|push|log|store|upload|write|put)\b/i, "$1get");
  const tab = TAB.exec(rest);
  const whole = /^\W*(?:please )?(?:append|add|insert|push|log|store|upload|write|put)\b/i.test(
    raw,
  );
  const spreadsheetId = linked ?? sheetId(match[2], reading) ?? match[1] ?? null;
  return {
    raw: tab === null ? rest : rest.replace(tab[0], " "),
    order: {
      ...NO_FILE,
      format: "google_sheet",
      spreadsheetId,
      whole,
      tab: tab === null ? null : spelled(tab[1] ?? tab[2] ?? "", reading.strings),
    },
  };
}

const EXTENSION = /\.(?:xlsx?|csv)$/i;
const FILE_WORDS = new RegExp(String.raw`\b${KIND}\b`, "i");

/** The order for a file by its name, and the sentence without the name. */
function fileOrder(raw: string, name: string, kind: string): Found {
  const format = EXTENSION.test(name) ? formatOf(name.slice(-4)) : formatOf(kind);
  return { raw, order: { ...NO_FILE, format, filename: name } };
}

function savedFile(raw: string, strings: readonly string[]): Found | null {
  for (const saved of raw.matchAll(SAVED)) {
    const [words, token = ""] = saved;
    const name = spelled(token, strings);
    if (!EXTENSION.test(name) || SOUGHT.test(raw.slice(0, saved.index))) continue;
    // The kind of file is left for the words that ask for a form.
    const found = fileOrder(raw, name, "");
    const after = raw.slice(saved.index + words.length);
    const others = raw.replace(words, " ");
    const form = FILE_WORDS.test(others) ? " " : ` as ${found.order.format} `;
    const rows = /^\s*(?:from|of|at|with)\b/i.test(after) ? ", get the table " : "";
    return { ...found, raw: raw.replace(words, `${form}${rows}`) };
  }
  return null;
}

/** A file's name in a sentence. `files` tells whether the prompt speaks of a file elsewhere. */
function namedFile(raw: string, { strings }: Reading, files: boolean): Found | null {
  const named = NAMED.exec(raw);
  if (named !== null) {
    const [words, kind = "", token = ""] = named;
    return fileOrder(raw.replace(words, kind), spelled(token, strings), kind);
  }
  const introduced = INTRODUCED.exec(raw);
  const name = spelled(introduced?.[1] ?? "", strings);
  const kind = FILE_WORDS.exec(raw)?.[0];
  if (introduced !== null && (EXTENSION.test(name) || kind !== undefined || files)) {
    const found = fileOrder(raw, name, kind ?? "");
    const as = kind === undefined && EXTENSION.test(name) ? ` , as ${found.order.format} ` : " ";
    return { ...found, raw: raw.replace(introduced[0], as) };
  }
  return savedFile(raw, strings);
}

/** "Excel file of url0_, …": a file is what is wanted first. */
const A_FILE_OF =
  /^(?:please\s+)?(?:an?\s+|one\s+)?((?:excel|xlsx|csv)\s+(?:file|workbook|spreadsheet|sheet|version))\s+(?:of|with)\s+(?=url\d)/i;

/** "One workbook": what is made, where its sheets are told of. */
const A_KIND = new RegExp(String.raw`(?:^|[,:]\s*)(?:one|an?|1|the)\s+${KIND}\b\s*:?`, "i");

/** How a sentence lays the rows on sheets; null where it says nothing of it. */
function layOf(
  raw: string,
  reading: Reading,
): ({ raw: string } & Pick<WorkbookOrder, "perPage" | "sheets">) | null {
  const named = takeSheetNames(raw, reading);
  const some = named.raw.replace(SOME_SHEETS, " ");
  const perPage = named.names.length > 0 || some !== named.raw;
  const pages = PER_PAGE.test(some);
  const split = perPage ? { raw: some, by: null } : takeSplit(some, pages);
  if (!perPage && split.by === null) return null;
  const rest = split.raw.replace(A_KIND, " ");
  return { raw: rest, perPage, sheets: { names: named.names, by: split.by } };
}

/**
 * Takes out where rows are to be written to, as far as the words "as Excel" do not say it: a file's
 * name, a sheet for each page, a Google Sheet. The words for the file itself are left to the form.
 */
export function takeWorkbook(
  sentences: readonly Sentence[],
  reading: Reading,
): Taken<WorkbookOrder | null> {
  let order: WorkbookOrder | null = null;
  const kinds = sentences.flatMap(({ raw }) => FILE_WORDS.exec(raw)?.[0] ?? []);
  const files = kinds.length > 0;
  const left = sentences.flatMap((sentence) => {
    const { message } = sentence;
    const google = googleSheet(sentence.raw, reading);
    const laid =
      google === null && order?.format !== "google_sheet" ? layOf(sentence.raw, reading) : null;
    const started = (laid?.raw ?? sentence.raw).replace(A_FILE_OF, (_raw, kind: string) => {
      order ??= { ...NO_FILE, format: formatOf(kind), message };
      return "get the table of ";
    });
    const found = google ?? namedFile(started, reading, files);
    const raw = found?.raw ?? started;
    if (found !== null) {
      const bare = found.order.filename !== null && !EXTENSION.test(found.order.filename);
      const format =
        bare && kinds[0] !== undefined ? formatOf(kinds.join(" ")) : found.order.format;
      const { perPage, sheets } = order ?? NO_FILE;
      order = { ...found.order, format, perPage, sheets, message };
    }
    if (laid !== null) {
      const { perPage, sheets } = laid;
      order = { ...NO_FILE, format: "xlsx", ...order, perPage, sheets, message };
      return without(sentence, raw);
    }
    const perPage = PER_PAGE.exec(raw);
    if (perPage !== null) {
      order = { ...NO_FILE, format: "xlsx", ...order, perPage: true, message };
      return without(sentence, raw.replace(perPage[0], " "));
    }
    return raw === sentence.raw ? [sentence] : without(sentence, raw);
  });
  return { sentences: left, order };
}
