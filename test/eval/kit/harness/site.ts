import type { Json } from "../../../../src/contract/json.ts";

/** One resource of a site. */
export interface Page {
  mediaType: string;
  body: string;
}

/** The resources of one host, by path with query. */
export interface Site {
  host: string;
  pages: Record<string, Page>;
}

/** What a cell of a page's table shows. */
export type Cell = string | number;

/** Returns an HTML page. */
export function html(title: string, body: string): Page {
  return {
    mediaType: "text/html",
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`,
  };
}

/** Returns a table with one row of headings; cells may hold HTML. */
export function table(columns: readonly string[], rows: readonly Cell[][], caption = ""): string {
  const row = (tag: string, cells: readonly Cell[]): string =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  const head = caption === "" ? "" : `<caption>${caption}</caption>`;
  return `<table>${head}<thead>${row("th", columns)}</thead><tbody>${rows.map((cells) => row("td", cells)).join("")}</tbody></table>`;
}

/** Returns a definition list. */
export function definitions(facts: readonly (readonly [term: string, text: Cell])[]): string {
  return `<dl>${facts.map(([term, text]) => `<dt>${term}</dt><dd>${text}</dd>`).join("")}</dl>`;
}

/** Returns a link. */
export function link(path: string, text: string): string {
  return `<a href="${path}">${text}</a>`;
}

/** Returns a JSON resource. */
export function jsonPage(value: Json): Page {
  return { mediaType: "application/json", body: JSON.stringify(value) };
}

/** Returns a CSV resource; no cell of it needs quotes. */
export function csvPage(columns: readonly string[], rows: readonly Cell[][]): Page {
  const lines = [columns, ...rows].map((cells) => cells.join(","));
  return { mediaType: "text/csv", body: `${lines.join("\n")}\n` };
}
