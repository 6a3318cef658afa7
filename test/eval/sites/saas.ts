import type { SearchClient } from "../../../src/ports/tools.ts";
import { COMPANIES, saasPages } from "../../support/site/saas.ts";
import type { Site } from "../harness/site.ts";

const HOST = "saas.example";
const PAGES = saasPages();

export const TOP_COMPANIES = COMPANIES.toSorted((a, b) => b.revenue - a.revenue).slice(0, 3);

/** The web that the search below finds. */
export const SAAS_SITE: Site = {
  host: HOST,
  pages: Object.fromEntries(
    PAGES.map(({ path, html }) => [path, { mediaType: "text/html", body: html }]),
  ),
};

/** Finds the pages that share the most words with a query. */
export const SAAS_SEARCH: SearchClient = {
  provider: "searxng",
  form: "text",
  async search({ query, count }) {
    const words = wordsOf(query);
    const results = PAGES.map(({ path, title, text }) => ({
      result: { title, url: `http://${HOST}${path}`, snippet: text },
      score: wordsOf(`${title} ${text}`).filter((word) => words.includes(word)).length,
    }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score);
    return { kind: "found", results: results.slice(0, count).map(({ result }) => result) };
  },
};

function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/\p{L}+/gu) ?? [])];
}
