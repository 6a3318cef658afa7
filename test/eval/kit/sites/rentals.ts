import { html, link, type Site, table } from "../harness/site.ts";

/** The origin of the rental agency's site. */
export const RENTALS = "http://rentals.example";

export const FLATS = [
  {
    id: "F-301",
    street: "Alder Street 9",
    district: "Harbour",
    rooms: 2,
    area: 54,
    rent: 1180,
    furnished: "no",
    from: "2026-07-01",
    agent: "Dora Kiss",
  },
  {
    id: "F-302",
    street: "Birch Lane 22",
    district: "Old Town",
    rooms: 3,
    area: 81,
    rent: 1740,
    furnished: "yes",
    from: "2026-08-15",
    agent: "Ravi Menon",
  },
  {
    id: "F-303",
    street: "Canal Row 5",
    district: "Harbour",
    rooms: 1,
    area: 29,
    rent: 790,
    furnished: "yes",
    from: "2026-06-20",
    agent: "Dora Kiss",
  },
  {
    id: "F-304",
    street: "Dune Road 41",
    district: "Seaside",
    rooms: 4,
    area: 118,
    rent: 2360,
    furnished: "no",
    from: "2026-09-01",
    agent: "Lukas Brun",
  },
  {
    id: "F-305",
    street: "Elm Court 3",
    district: "Old Town",
    rooms: 2,
    area: 62,
    rent: 1395,
    furnished: "no",
    from: "2026-07-01",
    agent: "Ravi Menon",
  },
  {
    id: "F-306",
    street: "Fisher Quay 17",
    district: "Harbour",
    rooms: 3,
    area: 77,
    rent: 1625,
    furnished: "no",
    from: "2026-06-15",
    agent: "Dora Kiss",
  },
  {
    id: "F-307",
    street: "Garden Hill 8",
    district: "Hillside",
    rooms: 5,
    area: 140,
    rent: 2980,
    furnished: "yes",
    from: "2026-10-01",
    agent: "Lukas Brun",
  },
  {
    id: "F-308",
    street: "Hop Market 12",
    district: "Old Town",
    rooms: 1,
    area: 33,
    rent: 860,
    furnished: "yes",
    from: "2026-06-28",
    agent: "Ravi Menon",
  },
  {
    id: "F-309",
    street: "Iris Path 30",
    district: "Hillside",
    rooms: 3,
    area: 88,
    rent: 1510,
    furnished: "no",
    from: "2026-07-20",
    agent: "Lukas Brun",
  },
  {
    id: "F-310",
    street: "Jetty Street 2",
    district: "Seaside",
    rooms: 2,
    area: 58,
    rent: 1445,
    furnished: "yes",
    from: "2026-08-01",
    agent: "Dora Kiss",
  },
] as const;

const PER_PAGE = 4;
const PAGES = Math.ceil(FLATS.length / PER_PAGE);

export const AGENTS = [
  {
    agent: "Dora Kiss",
    phone: "+49 421 555 011",
    email: "dora@rentals.example",
    languages: "German, Hungarian",
  },
  {
    agent: "Ravi Menon",
    phone: "+49 421 555 012",
    email: "ravi@rentals.example",
    languages: "English, Hindi",
  },
  {
    agent: "Lukas Brun",
    phone: "+49 421 555 013",
    email: "lukas@rentals.example",
    languages: "French, German",
  },
] as const;

const COSTS = [
  { item: "Deposit", amount: "3 months' rent", due: "before moving in" },
  { item: "Cleaning fee", amount: "€140", due: "when moving out" },
  { item: "Key replacement", amount: "€65", due: "on loss" },
] as const;

function flatsPage(page: number) {
  const rows = FLATS.slice((page - 1) * PER_PAGE, page * PER_PAGE);
  const links = Array.from({ length: PAGES }, (_, at) =>
    at + 1 === page ? `<span>${at + 1}</span>` : link(`/flats?page=${at + 1}`, String(at + 1)),
  );
  const next = page < PAGES ? ` ${link(`/flats?page=${page + 1}`, "Next ›")}` : "";
  return html(
    `Flats to rent, page ${page}`,
    `<h1>Flats to rent</h1>${table(
      ["Id", "Address", "District", "Rooms", "Area (m²)", "Rent"],
      rows.map((f) => [
        f.id,
        link(`/flats/${f.id}`, f.street),
        f.district,
        f.rooms,
        f.area,
        `€${f.rent.toLocaleString("en")}`,
      ]),
    )}<p class="pager">${links.join(" ")}${next}</p>`,
  );
}

/** A rental agency: a paged list of flats with pages of their own, all flats in one table, agents. */
export const RENTALS_SITE: Site = {
  host: "rentals.example",
  pages: {
    "/": html(
      "Weser Rentals",
      `<h1>Weser Rentals</h1><p>${link("/flats", "Flats to rent")} ${link("/overview", "Overview")} ${link("/agents", "Agents")} ${link("/costs", "Costs")}</p>`,
    ),
    "/flats": flatsPage(1),
    ...Object.fromEntries(
      Array.from({ length: PAGES }, (_, at) => [`/flats?page=${at + 1}`, flatsPage(at + 1)]),
    ),
    ...Object.fromEntries(
      FLATS.map((f) => [
        `/flats/${f.id}`,
        html(
          f.street,
          `<h1>${f.street}</h1><table><tr><th>District</th><td>${f.district}</td></tr><tr><th>Rooms</th><td>${f.rooms}</td></tr><tr><th>Rent</th><td>€${f.rent.toLocaleString("en")}</td></tr><tr><th>Furnished</th><td>${f.furnished}</td></tr><tr><th>Available from</th><td>${f.from}</td></tr><tr><th>Agent</th><td>${f.agent}</td></tr></table>`,
        ),
      ]),
    ),
    "/overview": html(
      "Overview",
      `<h1>All flats at a glance</h1>${table(
        [
          "Id",
          "Address",
          "District",
          "Rooms",
          "Area (m²)",
          "Rent",
          "Furnished",
          "Available from",
          "Agent",
        ],
        FLATS.map((f) => [
          f.id,
          f.street,
          f.district,
          f.rooms,
          f.area,
          `€${f.rent.toLocaleString("en")}`,
          f.furnished,
          f.from,
          f.agent,
        ]),
      )}`,
    ),
    "/agents": html(
      "Agents",
      `<h1>Our agents</h1>${AGENTS.map(
        ({ agent, phone, email, languages }) =>
          `<section><h2>${agent}</h2><p>Phone: ${phone}</p><p>E-mail: ${email}</p><p>Languages: ${languages}</p></section>`,
      ).join("")}`,
    ),
    "/costs": html(
      "Costs",
      `<h1>Costs</h1>${table(
        ["Item", "Amount", "Due"],
        COSTS.map(({ item, amount, due }) => [item, amount, due]),
      )}`,
    ),
  },
};
