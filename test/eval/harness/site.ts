import type { Json } from "../../../src/contract/json.ts";

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
type Cell = string | number;
type Rows = readonly (readonly Cell[])[];

/** Returns an HTML page. */
export function html(title: string, body: string): Page {
  return {
    mediaType: "text/html",
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`,
  };
}

/** Returns a page with its title as a heading and one table. */
export function tablePage(title: string, columns: readonly string[], rows: Rows): Page {
  return html(title, `<h1>${title}</h1>${table(columns, rows)}`);
}

/** Returns a table with one row of headings; cells may hold HTML. */
export function table(columns: readonly string[], rows: Rows): string {
  const row = (tag: string, cells: readonly Cell[]): string =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  return `<table><thead>${row("th", columns)}</thead><tbody>${rows.map((cells) => row("td", cells)).join("")}</tbody></table>`;
}

/** Returns the pages of a list, `path?page=1` and so on, each with a link to the next; `path` is the first. */
export function pagesOf<Item>(
  path: string,
  title: string,
  items: readonly Item[],
  perPage: number,
  show: (items: readonly Item[]) => string,
): Record<string, Page> {
  const count = Math.ceil(items.length / perPage);
  const pages = Array.from({ length: count }, (_, at): [string, Page] => {
    const shown = show(items.slice(at * perPage, (at + 1) * perPage));
    const next = at + 1 < count ? ` ${link(`${path}?page=${at + 2}`, "Next")}` : "";
    const body = `<h1>${title}</h1>${shown}<p>Page ${at + 1} of ${count}${next}</p>`;
    return [`${path}?page=${at + 1}`, html(`${title}, page ${at + 1}`, body)];
  });
  return Object.fromEntries([...pages, ...pages.slice(0, 1).map(([, first]) => [path, first])]);
}

/** Returns a link. */
export function link(path: string, text: string): string {
  return `<a href="${path}">${text}</a>`;
}

/** Returns a JSON resource. */
export function jsonPage(value: Json): Page {
  return { mediaType: "application/json", body: JSON.stringify(value) };
}
