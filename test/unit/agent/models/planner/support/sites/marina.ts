import { type Site, table } from "../site.ts";

const page = (title: string, body: string) => ({
  body: `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`,
});

/** A marina's books: bills with a state, one list in two tables, pages behind links, things in stock. */
export const MARINA: Site = {
  "http://marina.test/bills": page(
    "Berth bills",
    table(
      ["Bill", "Boat", "Sent", "Payable by", "Sum due", "Status"],
      [
        ["M-41", "Petrel", "2026-04-01", "2026-05-01", "€310.00", "open"],
        ["M-42", "Dunlin", "2026-04-02", "2026-05-02", "€95.50", "paid"],
        ["M-43", "Petrel", "2026-03-01", "2026-04-01", "€120.00", "late"],
        ["M-44", "Tern", "2026-04-03", "2026-05-03", "€64.25", "open"],
        ["M-45", "Gannet", "2026-04-03", "2026-05-03", "€80.00", "paid"],
        ["M-46", "Tern", "2026-02-03", "2026-03-03", "€40.00", "late"],
      ],
    ),
  ),
  "http://marina.test/regatta": page(
    "Spring regatta",
    `<h2>Saturday</h2>${table(
      ["Start", "Race", "Course"],
      [
        ["10:00", "Dinghies", "Inner"],
        ["13:30", "Cutters", "Outer"],
      ],
    )}<h2>Sunday</h2>${table(
      ["Start", "Race", "Course"],
      [
        ["11:00", "Sloops", "Outer"],
        ["14:00", "Grand prix", "Outer"],
        ["16:15", "Farewell", "Inner"],
      ],
    )}`,
  ),
  "http://marina.test/berths": page(
    "Berths and storage",
    `<h2>Berths</h2>${table(
      ["Pontoon", "Metres", "Fee"],
      [
        ["North", "12", "€40"],
        ["South", "8", "€25"],
      ],
    )}<h2>Winter storage</h2>${table(
      ["Shed", "Spaces", "Keeper"],
      [
        ["A", "30", "Olga"],
        ["B", "12", "Sven"],
      ],
    )}`,
  ),
  "http://marina.test/crew": page(
    "Crew",
    table(
      ["Name", "Department", "Email", "Joined"],
      [
        ["Olga Brandt", "Workshop", "olga@marina.test", "3 May 2014"],
        ["Sven Dahl", "Office", "sven@marina.test", "12 January 2021"],
        ["Ines Prado", "Workshop", "ines@marina.test", "30 August 2019"],
      ],
    ),
  ),
  "http://marina.test/chandlery": page(
    "Chandlery prices",
    table(
      ["Article", "Maker", "Price", "In stock"],
      [
        ["Shackle", "Norrsken", "€4.50", "40"],
        [" Anchor", "Bruce", "€89.00", "0"],
        ["Fender", "Norrsken", "€21.00", "6"],
        [" Fender ", "Norrsken", "€21.00", "6"],
      ],
    ),
  ),
  "http://marina.test/log.csv": {
    mediaType: "text/csv",
    body: "id,gate,level\n1,North Gate,2.1\n2,South Gate,\n3,North Gate,2.4\n3,North Gate,2.4\n",
  },
  "http://marina.test/rentals": page(
    "Rentals",
    `<ul><li>Kayak: 15 EUR</li><li>Canoe: 22 EUR</li></ul>`,
  ),
  "http://marina.test/tide/releases": page(
    "Tide clock: releases",
    `<h2>2.4.0 (18 February 2026)</h2><ul><li>Shows neap tides</li></ul><h2>2.3.1 (9 January 2026)</h2><ul><li>Mends the alarm</li></ul>`,
  ),
  "http://marina.test/work": page(
    "Work with us",
    `<ul><li><a href="/work/7">Rigger</a></li><li><a href="/work/8">Sailmaker</a></li></ul>`,
  ),
  "http://marina.test/work/7": page(
    "Rigger",
    `<p>Salary: 2,900 EUR</p><p>Contact: <a href="mailto:rig@marina.test">rig@marina.test</a></p>`,
  ),
  "http://marina.test/work/8": page(
    "Sailmaker",
    `<p>Salary: 3,100 EUR</p><p>Contact: <a href="mailto:sail@marina.test">sail@marina.test</a></p>`,
  ),
};
