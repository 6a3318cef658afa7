import type { Sentence } from "../language/reading.ts";

const ROWS =
  "(?:list|table|readings|rows|data|entries|records|items|(?!file|workbook|sheet)\\w+ (?:list|table|data))";
/** "attach the list", "store the cleaned readings": rows beside an answer about them. */
const ROWS_TOO = new RegExp(
  String.raw`\b(?:attach|enclose|add|include|store|save|write|put)(?:ing)?\s+(?:(?:all|the|its|their)\s+){1,2}(?:(?:cleaned|price|raw|original|underlying)\s+)*${ROWS}\b(?!\s+of\s+(?!url))`,
  "i",
);
const ALL_ROWS =
  /\b(?:attach|enclose|add|include|store|save|write|put)(?:ing)?\s+(?:the\s+|its\s+|their\s+)?(?:all|whole|full|entire|complete)\s+(?:of\s+)?(?:the\s+)?(?:\w+\s+){0,2}?\w+\b/i;
/** An answer that is worked out of the rows, and is not the rows. */
const FIGURE =
  /\b(?:number of|how many|count|cheapest|dearest|(?:most|least) \w+|highest|lowest|largest|smallest|average|mean|total|sum|max(?:imum)?|min(?:imum)?|median)\b/i;
const FEW = /\b(?:top|first|last|best|worst)\b/i;

/** Whether a file is to hold the whole list beside an answer that was worked out of it. */
export function wantsWholeList(sentences: readonly Sentence[]): boolean {
  const said = sentences.map(({ raw }) => raw).join(" . ");
  if (ALL_ROWS.test(said)) return FIGURE.test(said) || FEW.test(said);
  return ROWS_TOO.test(said) && FIGURE.test(said);
}
