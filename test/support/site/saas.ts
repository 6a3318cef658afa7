import { type SearchServer, startSearchServer } from "../search-server.ts";
import { startServer } from "../server.ts";

/** A company with the monthly price of each plan, in dollars. */
interface Company {
  name: string;
  slug: string;
  /** Revenue in billions of dollars. */
  revenue: number;
  plans: Record<string, number>;
}

/** Companies of the web below, not in the order of their revenue. */
export const COMPANIES: readonly Company[] = [
  { name: "Birchwork", slug: "birchwork", revenue: 4.1, plans: { Team: 12, Business: 30 } },
  { name: "Alderdesk", slug: "alderdesk", revenue: 9.6, plans: { Starter: 15, Enterprise: 89 } },
  { name: "Cedarflow", slug: "cedarflow", revenue: 6.3, plans: { Basic: 8, Pro: 24 } },
  { name: "Elmledger", slug: "elmledger", revenue: 1.2, plans: { Solo: 5, Firm: 45 } },
];

/** A page of the web of these companies. */
interface SaasPage {
  path: string;
  title: string;
  /** What a search shows of it. */
  text: string;
  html: string;
}

/** Returns the web's pages: a ranking at `/ranking`, and each company's prices at `/<slug>/pricing`. */
export function saasPages(): SaasPage[] {
  return [
    {
      path: "/ranking",
      title: "SaaS companies by revenue",
      text: "The revenue of the largest SaaS companies, with links to their prices.",
      html: rankingPage(),
    },
    ...COMPANIES.map((company) => ({
      path: `/${company.slug}/pricing`,
      title: `${company.name} pricing`,
      text: `Plans and prices of ${company.name}.`,
      html: pricingPage(company),
    })),
  ];
}

/** The web on loopback, with search providers that find its pages. */
export interface SaasWeb {
  search: SearchServer;
  close(): Promise<void>;
}

/** Starts the web and the search providers. */
export async function startSaasWeb(): Promise<SaasWeb> {
  const pages = saasPages();
  const site = await startServer((request, response) => {
    const found = pages.find(({ path }) => path === request.url);
    response.writeHead(found ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    response.end(found?.html ?? page("Not found", "<h1>Not found</h1>"));
  });
  const search = await startSearchServer(
    pages.map(({ path, title, text }) => ({ title, url: site.origin + path, text })),
  );
  return {
    search,
    close: async () => {
      await Promise.all([site.close(), search.close()]);
    },
  };
}

function rankingPage(): string {
  const rows = COMPANIES.map(
    ({ name, slug, revenue }) =>
      `<tr><td><a href="/${slug}/pricing">${name}</a></td><td>$${revenue} billion</td></tr>`,
  );
  return page(
    "SaaS companies by revenue",
    `<h1>SaaS companies by revenue</h1>
<table><tr><th>Company</th><th>Revenue</th></tr>${rows.join("")}</table>`,
  );
}

function pricingPage({ name, plans }: Company): string {
  const cards = Object.entries(plans).map(
    ([plan, price]) => `<section><h2>${plan}</h2><p>$${price} per user and month</p></section>`,
  );
  return page(`${name} pricing`, `<h1>${name} pricing</h1>${cards.join("")}`);
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`;
}
