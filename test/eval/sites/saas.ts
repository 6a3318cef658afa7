import type { SearchClient } from "../../../src/agent/tools/search-web.ts";
import { html, link, type Site, tablePage } from "../harness/site.ts";

const HOST = "saas.example";

/** Companies with their revenue in billions of dollars, and the monthly price of each plan. */
const COMPANIES: { name: string; slug: string; revenue: number; plans: Record<string, number> }[] =
  [
    { name: "Birchwork", slug: "birchwork", revenue: 4.1, plans: { Team: 12, Business: 30 } },
    { name: "Alderdesk", slug: "alderdesk", revenue: 9.6, plans: { Starter: 15, Enterprise: 89 } },
    { name: "Cedarflow", slug: "cedarflow", revenue: 6.3, plans: { Basic: 8, Pro: 24 } },
    { name: "Elmledger", slug: "elmledger", revenue: 1.2, plans: { Solo: 5, Firm: 45 } },
  ];

export const TOP_COMPANIES = COMPANIES.toSorted((a, b) => b.revenue - a.revenue).slice(0, 3);

/** The pages that the search below finds: a ranking, and each company's prices. */
const PAGES = [
  {
    path: "/ranking",
    title: "SaaS companies by revenue",
    snippet: "The revenue of the largest SaaS companies, with links to their prices.",
    page: tablePage(
      "SaaS companies by revenue",
      ["Company", "Revenue"],
      COMPANIES.map(({ name, slug, revenue }) => [
        link(`/${slug}/pricing`, name),
        `$${revenue} billion`,
      ]),
    ),
  },
  ...COMPANIES.map(({ name, slug, plans }) => ({
    path: `/${slug}/pricing`,
    title: `${name} pricing`,
    snippet: `Plans and prices of ${name}.`,
    page: html(
      `${name} pricing`,
      `<h1>${name} pricing</h1>${Object.entries(plans)
        .map(
          ([plan, price]) =>
            `<section><h2>${plan}</h2><p>$${price} per user and month</p></section>`,
        )
        .join("")}`,
    ),
  })),
];

/** The web that the search below finds. */
export const SAAS_SITE: Site = {
  host: HOST,
  pages: Object.fromEntries(PAGES.map(({ path, page }) => [path, page])),
};

/** Finds the pages that share the most words with a query. */
export const SAAS_SEARCH: SearchClient = {
  provider: "searxng",
  form: "text",
  async search({ query, count }) {
    const words = wordsOf(query);
    const results = PAGES.map(({ path, title, snippet }) => ({
      result: { title, url: `http://${HOST}${path}`, snippet },
      score: wordsOf(`${title} ${snippet}`).filter((word) => words.includes(word)).length,
    }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score);
    return { kind: "found", results: results.slice(0, count).map(({ result }) => result) };
  },
};

function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/\p{L}+/gu) ?? [])];
}
