import type { Reading, Sentence } from "../language/reading.ts";
import { type Taken, without } from "./taken.ts";

/** A file or a Google Sheet that the rows are to be written to. */
export interface WorkbookOrder {
  format: "xlsx" | "csv" | "google_sheet";
  /** As the prompt has it; null when it names none. */
  filename: string | null;
  /** Whether each page gets a sheet of its own. */
  perPage: boolean;
  /** Of a Google Sheet that is written out. */
  spreadsheetId: string | null;
  /** The tab of a Google Sheet. */
  tab: string | null;
  /** The last message that spoke of it. */
  message: number;
}

const KIND = String.raw`(?:(?:microsoft|ms|new|single|separate) )*(?:excel|\.?xlsx?|spread ?sheet|workbook|csv)(?:[ -]?(?:file|workbook|spreadsheet|sheet|document|table))?`;
const CALLED = "(?:called|named|titled|with the (?:file ?name|name(?= str))|under the name)";
const FILE = String.raw`str\d+_|(?!(?:and|with|of|to|for|in|as|the|from|on)\b)[\w][\w-]{0,60}(?:\.[\w-]{1,40})*`;

/** A file's name behind the words for it: "a spreadsheet called Prices". */
const NAMED = new RegExp(String.raw`\b(${KIND})\s+${CALLED}\s+(${FILE})(?!\w)`, "i");
/** A file's name alone: "save it as prices.xlsx", "into prices.xlsx". */
const SAVED =
  /(?:\b(?:as|to|into|in|called|named|create|make|build|produce|generate|prepare|(?:sheets?|tabs?|worksheets?) (?:of|in))\s+)(?:an? |the )?(?:(?:excel |csv )?(?:file|workbook|spreadsheet) )?(str\d+_|[\w][\w.-]{0,100}\.(?:xlsx?|csv))(?![\w@])/i;
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
  spreadsheetId: null,
  tab: null,
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
  const spreadsheetId = linked ?? sheetId(match[2], reading) ?? match[1] ?? null;
  return {
    raw: tab === null ? rest : rest.replace(tab[0], " "),
    order: {
      ...NO_FILE,
      format: "google_sheet",
      spreadsheetId,
      tab: tab === null ? null : spelled(tab[1] ?? tab[2] ?? "", reading.strings),
    },
  };
}

function namedFile(raw: string, { strings }: Reading): Found | null {
  const named = NAMED.exec(raw);
  if (named !== null) {
    const kind = named[1] ?? "";
    const filename = spelled(named[2] ?? "", strings);
    const format = /\.csv$/i.test(filename) ? "csv" : formatOf(kind);
    return { raw: raw.replace(named[0], kind), order: { ...NO_FILE, format, filename } };
  }
  const saved = SAVED.exec(raw);
  const filename = spelled(saved?.[1] ?? "", strings);
  if (saved === null || !/\.(?:xlsx?|csv)$/i.test(filename)) return null;
  const format = formatOf(filename.slice(-4));
  return { raw: raw.replace(saved[0], ` as ${format}`), order: { ...NO_FILE, format, filename } };
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
  const left = sentences.flatMap((sentence) => {
    const { message } = sentence;
    const found = googleSheet(sentence.raw, reading) ?? namedFile(sentence.raw, reading);
    const raw = found?.raw ?? sentence.raw;
    if (found !== null) order = { ...found.order, perPage: order?.perPage ?? false, message };
    const perPage = PER_PAGE.exec(raw);
    if (perPage !== null) {
      order = { ...NO_FILE, format: "xlsx", ...order, perPage: true, message };
      return without(sentence, raw.replace(perPage[0], " "));
    }
    return found === null ? [sentence] : without(sentence, raw);
  });
  return { sentences: left, order };
}
