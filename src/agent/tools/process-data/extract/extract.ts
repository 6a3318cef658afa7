import type { Extraction } from "../../../../contract/tools/process-data.ts";
import { found, type Outcome } from "../outcome.ts";
import type { Source } from "../source/source.ts";
import type { Extracted } from "../table.ts";
import { extractEmails } from "./emails.ts";
import { extractJson } from "./json.ts";
import { extractPrices } from "./prices.ts";
import { extractTable } from "./tables.ts";
import { extractHeadings, extractLines, extractLinks, extractLists, extractText } from "./texts.ts";

/** Takes from one source what was asked for. Refused where the source cannot have it at all. */
export function extractFrom(source: Source, extraction: Extraction): Outcome<Extracted> {
  switch (extraction.kind) {
    case "table":
      return extractTable(source, extraction);
    case "json":
      return extractJson(source, extraction.path);
    case "emails":
      return found(extractEmails(source));
    case "links":
      return found(extractLinks(source, extraction.containing));
    case "headings":
      return found(extractHeadings(source, extraction.level));
    case "prices":
      return found(extractPrices(source));
    case "lists":
      return found(extractLists(source));
    case "lines":
      return found(extractLines(source, extraction.containing));
    case "text":
      return found(extractText(source));
  }
}
