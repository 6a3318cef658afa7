import type { Resource, Site } from "../site.ts";

const page = (body: string, title: string): Resource => ({
  body: `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`,
});

const json = (value: unknown): Resource => ({
  mediaType: "application/json",
  body: JSON.stringify(value),
});

/** Issues and orders as JSON, rivers and a budget as tables, the weather as CSV. */
export const RECORDS: Site = {
  "http://proj.test/api/issues": json({
    data: [
      {
        key: "P-1",
        title: "Login fails",
        state: "open",
        priority: "high",
        assignee: { name: "Ana", team: "core" },
        created: "2026-01-10",
        points: 5,
        labels: ["bug", "auth"],
      },
      {
        key: "P-2",
        title: "Dark mode",
        state: "closed",
        priority: "low",
        assignee: { name: "Ben", team: "web" },
        created: "2025-11-02",
        points: 8,
        labels: ["feature"],
      },
      {
        key: "P-3",
        title: "Slow search",
        state: "open",
        priority: "medium",
        assignee: { name: "Ana", team: "core" },
        created: "2026-02-21",
        points: 3,
        labels: ["bug"],
      },
      {
        key: "P-4",
        title: "Export CSV",
        state: "open",
        priority: "low",
        assignee: null,
        created: "2026-03-01",
        points: 2,
        labels: [],
      },
    ],
  }),
  "http://geo2.test/rivers": page(
    `<h1>Rivers</h1><p>Some rivers of the world, measured in 2020.</p><table><caption>Rivers</caption><thead><tr><th>River</th><th>Length (km)</th><th>Continent</th><th>Outflow</th></tr></thead><tbody><tr><td><a href="/r/nile">Nile</a></td><td>6,650</td><td>Africa</td><td>Mediterranean Sea</td></tr><tr><td><a href="/r/amazon">Amazon</a></td><td>6,400</td><td>South America</td><td>Atlantic Ocean</td></tr><tr><td><a href="/r/rhine">Rhine</a></td><td>1,233</td><td>Europe</td><td>North Sea</td></tr><tr><td><a href="/r/danube">Danube</a></td><td>2,850</td><td>Europe</td><td>Black Sea</td></tr></tbody></table>`,
    "Rivers",
  ),
  "http://data3.test/weather.csv": {
    mediaType: "text/csv",
    body: "date,city,temp_c,rain_mm,sunny\n2026-01-01,Oslo,-4,2.5,no\n2026-01-02,Oslo,-7,0,yes\n2026-01-01,Rome,11,0,yes\n2026-01-02,Rome,13,4,no\n2026-02-01,Oslo,-9,1,no\n",
  },
  "http://city.test/budget": page(
    `<h1>City budget</h1><h2>Income</h2><table><tr><th>Source</th><th>2024</th><th>2025</th></tr><tr><td>Taxes</td><td>1,200</td><td>1,350</td></tr><tr><td>Fees</td><td>300</td><td>280</td></tr></table><h2>Spending</h2><table><tr><th>Department</th><th>2024</th><th>2025</th></tr><tr><td>Schools</td><td>700</td><td>760</td></tr><tr><td>Roads</td><td>400</td><td>390</td></tr><tr><td>Parks</td><td>150</td><td>180</td></tr></table><p>All figures in thousand euros. Published on 12 January 2026 by the treasurer, Ms. Ivy Moss.</p><h2>Downloads</h2><ul><li><a href="/budget.pdf">Full budget (PDF)</a></li><li><a href="/budget.csv">Data (CSV)</a></li></ul>`,
    "City budget",
  ),
  "http://shop3.test/api/orders": json({
    orders: [
      {
        id: 101,
        customer: "Eva Lind",
        date: "2026-02-01",
        total: 45.5,
        paid: true,
        items: [
          { sku: "A", qty: 1 },
          { sku: "B", qty: 2 },
        ],
      },
      {
        id: 102,
        customer: "Max Orr",
        date: "2026-02-03",
        total: 120,
        paid: false,
        items: [{ sku: "C", qty: 1 }],
      },
      {
        id: 103,
        customer: "Eva Lind",
        date: "2026-02-14",
        total: 12.25,
        paid: true,
        items: [{ sku: "A", qty: 3 }],
      },
      { id: 104, customer: "Ola Berg", date: "2026-03-02", total: 80, paid: true, items: [] },
    ],
  }),
};
