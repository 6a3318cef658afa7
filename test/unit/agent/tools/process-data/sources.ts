import {
  jsonSource,
  NO_ORIGIN,
  pageSource,
  plainSource,
  type Source,
  tableSource,
} from "../../../../../src/agent/tools/process-data/source.ts";
import type { Json } from "../../../../../src/contract/json.ts";
import type { PageContent } from "../../../../../src/contract/tools/web.ts";

/** The content of a page with nothing on it but what is given. */
export function pageContentOf(parts: Partial<PageContent>): PageContent {
  return {
    url: "https://shop.example/",
    mediaType: "text/html",
    title: "Shop",
    text: "",
    headings: [],
    links: [],
    tables: [],
    cut: false,
    ...parts,
  };
}

export function page(parts: Partial<PageContent>): Source {
  return pageSource(pageContentOf(parts));
}

export function plain(text: string): Source {
  return plainSource(text, NO_ORIGIN);
}

export function rowsSource(columns: string[], rows: Json[][]): Source {
  return tableSource({ table: { columns, rows }, notes: [], cut: false }, NO_ORIGIN);
}

export function jsonData(value: Json): Source {
  return jsonSource(value, NO_ORIGIN);
}
