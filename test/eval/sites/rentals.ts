import { html, pagesOf, type Site, table, tablePage } from "../harness/site.ts";

/** The origin of the rental agency's site. */
export const RENTALS = "http://rentals.example";

const FLAT_ROWS = [
  ["F-301", "Alder Street 9", "Harbour", 2, 54, 1180, "no", "2026-07-01", "Dora Kiss"],
  ["F-302", "Birch Lane 22", "Old Town", 3, 81, 1740, "yes", "2026-08-15", "Ravi Menon"],
  ["F-303", "Canal Row 5", "Harbour", 1, 29, 790, "yes", "2026-06-20", "Dora Kiss"],
  ["F-304", "Dune Road 41", "Seaside", 4, 118, 2360, "no", "2026-09-01", "Lukas Brun"],
  ["F-305", "Elm Court 3", "Old Town", 2, 62, 1395, "no", "2026-07-01", "Ravi Menon"],
  ["F-306", "Fisher Quay 17", "Harbour", 3, 77, 1625, "no", "2026-06-15", "Dora Kiss"],
  ["F-307", "Garden Hill 8", "Hillside", 5, 140, 2980, "yes", "2026-10-01", "Lukas Brun"],
  ["F-308", "Hop Market 12", "Old Town", 1, 33, 860, "yes", "2026-06-28", "Ravi Menon"],
  ["F-309", "Iris Path 30", "Hillside", 3, 88, 1510, "no", "2026-07-20", "Lukas Brun"],
  ["F-310", "Jetty Street 2", "Seaside", 2, 58, 1445, "yes", "2026-08-01", "Dora Kiss"],
] as const;

export const FLATS = FLAT_ROWS.map(([id, , , , , rent, , , agent]) => ({
  id,
  rent,
  agent,
}));

const AGENT_ROWS = [
  ["Dora Kiss", "+49 421 555 011", "dora@rentals.example", "German, Hungarian"],
  ["Ravi Menon", "+49 421 555 012", "ravi@rentals.example", "English, Hindi"],
  ["Lukas Brun", "+49 421 555 013", "lukas@rentals.example", "French, German"],
] as const;

export const AGENTS = AGENT_ROWS.map(([agent, , email]) => ({ agent, email }));

const COLUMNS = ["Id", "Address", "District", "Rooms", "Area (m²)", "Rent"];

/** The flats as the pages write them: the first columns with the rent, then the others. */
const WRITTEN = FLAT_ROWS.map(([id, address, district, rooms, area, rent, ...others]) => ({
  cells: [id, address, district, rooms, area, `€${rent.toLocaleString("en")}`],
  others,
}));

/** A rental agency: a paged list of flats, all flats in one table, agents. */
export const RENTALS_SITE: Site = {
  host: "rentals.example",
  pages: {
    ...pagesOf("/flats", "Flats to rent", WRITTEN, 4, (flats) =>
      table(
        COLUMNS,
        flats.map(({ cells }) => cells),
      ),
    ),
    "/overview": tablePage(
      "All flats at a glance",
      [...COLUMNS, "Furnished", "Available from", "Agent"],
      WRITTEN.map(({ cells, others }) => [...cells, ...others]),
    ),
    "/agents": html(
      "Our agents",
      `<h1>Our agents</h1>${AGENT_ROWS.map(
        ([agent, phone, email, languages]) =>
          `<section><h2>${agent}</h2><p>Phone: ${phone}</p><p>E-mail: ${email}</p><p>Languages: ${languages}</p></section>`,
      ).join("")}`,
    ),
  },
};
