import { describe, expect, test } from "vitest";
import type { Json } from "../../../../../src/contract/json.ts";
import { outcomeOf, play, type Site } from "./play.ts";

const MARINA = "https://marina.example";
const LIBRARY = "https://library.example";
const CLINIC = "https://clinic.example";
const STOCK = `${LIBRARY}/stock.csv`;

function table(caption: string, head: string, ...rows: string[]): string {
  const line = (cells: string, tag: string) =>
    `<tr>${cells
      .split("|")
      .map((cell) => `<${tag}>${cell.trim()}</${tag}>`)
      .join("")}</tr>`;
  return `<table><caption>${caption}</caption>${line(head, "th")}${rows.map((row) => line(row, "td")).join("")}</table>`;
}

const site: Site = {
  [MARINA]:
    `<h1>Marina</h1><h2>Berths</h2>${table(
      "Berths",
      "Berth | Boat | Length | Fee | Paid until",
      "A1 | Tern | 8.2 m | €410.00 | 2026-12-31",
      "A2 | Gannet | 11.5 m | €575.00 | 2026-06-30",
      "B1 | Puffin | 6.4 m | €320.00 | 2026-12-31",
      "B2 | | 12.0 m | €0.00 | ",
      "B3 | Skua | 9.0 m | €450.00 | 2026-09-30",
    )}<h2>Rules</h2><ol><li>Keep clear of the slip</li><li>No fires</li></ol>` +
    '<p>Call us or write to <a href="mailto:Harbour@marina.example">the master</a>. <a href="/tides">Tides</a></p>',
  [`${MARINA}/tides.json`]:
    '{"station":"East pier","tides":[{"at":"06:10","metres":4.1},{"at":"12:25","metres":0.9},{"at":"18:40","metres":4.4}]}',
  [LIBRARY]:
    table(
      "Loans",
      "Title | Reader | Days late",
      "Dune | Ada | 3",
      "Emma | Bo | 0",
      "Ulysses | Ada | 12",
      "Beloved | Cy | 7",
    ) + table("Rooms", "Room | Seats", "Attic | 6", "Hall | 80"),
  [STOCK]:
    "isbn,title,copies,branch\n1,Dune,4,North\n2,Emma,2,South\n3,Ulysses,1,North\n4,Beloved,5,South\n5,Dune,2,South",
  [CLINIC]: `<h1>Clinic</h1><h3>Doctors</h3><ul><li>Dr Osei</li><li>Dr Lund</li><li>Dr Rey</li></ul>${table(
    "Visits",
    "Patient | Doctor | Minutes | Bill",
    "P1 | Osei | 15 | $80",
    "P2 | Lund | 30 | $150",
    "P3 | Osei | 45 | $210",
    "P4 | Rey | 15 | $80",
    "P5 | Osei | 20 | $95",
  )}<p>desk@clinic.example, night@clinic.example</p>`,
};
const LATE = ["Ulysses", "Beloved"];
const SHIFTS = "nurse,ward,hours\nIvo,East,8\nMia,West,12\nIvo,West,4\nNia,East,6";
const inputs = {
  boats: [
    { name: "Tern", crew: 2 },
    { name: "Skua", crew: 5 },
  ],
  limit: 10,
  page: MARINA,
  harbour: { master: "Ines", lights: ["red", "green"] },
};

/** Commands with their answers, worked out by hand from the pages above. */
const COMMANDS: [prompt: string, answer: Json][] = [
  [`list boat from ${MARINA} where boat is not empty`, ["Tern", "Gannet", "Puffin", "Skua"]],
  [`list berth from ${MARINA} where boat is empty`, ["B2"]],
  [`count rows from ${MARINA}`, 5],
  [`count boat from ${MARINA}`, 4],
  [`count distinct title from ${STOCK}`, 4],
  [`sum fee from ${MARINA}`, 1755],
  [`average fee from ${MARINA} where fee > 0`, 438.75],
  [`highest length from ${MARINA}`, 12],
  [`lowest fee from ${MARINA} where boat is not empty`, 320],
  [
    `top 2 boat, fee by fee from ${MARINA}`,
    [
      { Boat: "Gannet", Fee: "€575.00" },
      { Boat: "Skua", Fee: "€450.00" },
    ],
  ],
  [`bottom 1 boat by length from ${MARINA}`, ["Puffin"]],
  [`list boat from ${MARINA} where "Paid until" is 2026-12-31`, ["Tern", "Puffin"]],
  [
    `list boat from ${MARINA} where length is at least 9 and length is at most 11.5`,
    ["Gannet", "Skua"],
  ],
  [
    `list berth from ${MARINA} where berth starts with B sorted by berth descending`,
    ["B3", "B2", "B1"],
  ],
  [`list headings of {{page}}`, ["Marina", "Berths", "Rules"]],
  [`list items of ${MARINA}`, ["Keep clear of the slip", "No fires"]],
  [`list items under rules from ${MARINA}`, ["Keep clear of the slip", "No fires"]],
  [`list emails of ${MARINA}`, ["harbour@marina.example"]],
  [`list links of ${MARINA} where text contains tide`, [{ text: "Tides", url: `${MARINA}/tides` }]],
  [`highest metres from ${MARINA}/tides.json`, 4.4],
  [`list at from ${MARINA}/tides.json where metres is below 1`, ["12:25"]],
  [
    `sum "days late" per reader from ${LIBRARY}`,
    [
      { Reader: "Ada", "sum of Days late": 15 },
      { Reader: "Bo", "sum of Days late": 0 },
      { Reader: "Cy", "sum of Days late": 7 },
    ],
  ],
  [`count rows from table Loans of ${LIBRARY}`, 4],
  [`sum seats from ${LIBRARY}`, 86],
  [`list title from ${LIBRARY} where days late > 5 sorted by days late`, ["Beloved", "Ulysses"]],
  [`list title from ${LIBRARY} where reader is not Ada`, ["Emma", "Beloved"]],
  [`count distinct branch from ${STOCK}`, 2],
  [`sum copies from ${STOCK} where title = Dune`, 6],
  [`list title from ${STOCK} where copies >= 4`, ["Dune", "Beloved"]],
  [`list title from ${STOCK} where title ends with s`, ["Ulysses"]],
  [`open ${STOCK}; count rows; highest copies`, { "Count rows": 5, "Highest copies": 5 }],
  [
    `count rows from ${MARINA} per "Paid until"`,
    [
      { "Paid until": "2026-12-31", count: 2 },
      { "Paid until": "2026-06-30", count: 1 },
      { "Paid until": "", count: 1 },
      { "Paid until": "2026-09-30", count: 1 },
    ],
  ],
  [`list title from ${LIBRARY} where reader is Ada`, ["Dune", "Ulysses"]],
  [`list title from ${LIBRARY} where title is "Dune or Emma, or more than that"`, []],
  [`list title from ${LIBRARY} where title is not Andover and days late above 4`, LATE],
  [`top 1 room by seats from ${LIBRARY}`, ["Hall"]],
  [`list distinct title from ${STOCK}`, ["Dune", "Emma", "Ulysses", "Beloved"]],
  [`average copies from ${STOCK}`, 2.8],
  [`list title from ${STOCK} where title contains ov`, ["Beloved"]],
  [`lowest copies from ${STOCK} where branch is South`, 2],
  [`top 9 title by copies from ${STOCK} where branch is North`, ["Dune", "Ulysses"]],
  [`list patient from ${CLINIC} where doctor is osei`, ["P1", "P3", "P5"]],
  [`highest minutes from ${CLINIC}`, 45],
  [`sum bill from ${CLINIC}`, 615],
  [`average bill from ${CLINIC} where minutes is 15`, 80],
  [`count rows from ${CLINIC} where bill > 80 and doctor is Osei`, 2],
  [`top 1 patient, minutes by minutes from ${CLINIC}`, [{ Patient: "P3", Minutes: "45" }]],
  [`list items of ${CLINIC}`, ["Dr Osei", "Dr Lund", "Dr Rey"]],
  [`count emails of ${CLINIC}`, 2],
  [`list headings of ${CLINIC}`, ["Clinic", "Doctors"]],
  [
    `count rows from ${CLINIC} per doctor sorted by count`,
    [
      { Doctor: "Lund", count: 1 },
      { Doctor: "Rey", count: 1 },
      { Doctor: "Osei", count: 3 },
    ],
  ],
  [
    `sum hours per ward from the data:\n${SHIFTS}`,
    [
      { ward: "East", "sum of hours": 14 },
      { ward: "West", "sum of hours": 16 },
    ],
  ],
  [`sum hours from the data\n\n${SHIFTS}`, 30],
  [`count rows from the data\n\`\`\`csv\n${SHIFTS}\n\`\`\``, 4],
  [`list nurse from the data where hours > {{limit}}\n\n${SHIFTS}`, ["Mia"]],
  [
    `list distinct nurse from the data sorted by nurse descending\n\n${SHIFTS}`,
    ["Nia", "Mia", "Ivo"],
  ],
  [
    `count rows from the data where ward is East\nsum hours\n\n${SHIFTS}`,
    { "Count rows": 2, "Sum hours": 30 },
  ],
  ["list name from {{boats}} where crew > 2", ["Skua"]],
  ["sum crew from input boats", 7],
  ["list master from input harbour", ["Ines"]],
  [
    "run ```return input.boats.map(({ name, crew }) => ({ name, double: crew * 2 }));```\nsum double from the result",
    {
      Code: [
        { name: "Tern", double: 4 },
        { name: "Skua", double: 10 },
      ],
      "Sum double": 14,
    },
  ],
  ["say {{harbour.master}} has {{limit}} boats", "Ines has 10 boats"],
];

/** What people would write to a model of language. */
const SENTENCES = `How many boats are there on ${MARINA}?
What is the highest fee at ${MARINA}?
Show me all berths that are free on ${MARINA}.
Which boat is the longest? ${MARINA}
Please sum the fees on ${MARINA}.
Give me a list of the boats on ${MARINA}
List the boats on ${MARINA}
List all boats of ${MARINA}
List boats longer than 9 m from ${MARINA}
Count the boats on ${MARINA}
Count how many rows ${MARINA} has
Sum up the fees from ${MARINA}
Sum of all fees on ${MARINA}
Average fee of boats over 8 m on ${MARINA}
Highest fee on ${MARINA}?
Top 3 boats from ${MARINA}
Top three boats by fee from ${MARINA}
Open ${MARINA} and tell me who is the master
Open ${MARINA} and list its headings
Mail the list of boats on ${MARINA} to ann@a.example
Save the boats of ${MARINA} as boats.xlsx
Send the fees to ann@a.example
Send a POST request to ${MARINA} with the fees
Ask me which boat, then tell me its fee on ${MARINA}
Wait until the tide is high at ${MARINA}
Summarise ${MARINA} in two sentences.
Translate ${MARINA} into French
Is there a boat called Tern on ${MARINA}?
Who pays the most at ${MARINA}?
When do the fees of Skua end? ${MARINA}
Who has the most days late on ${LIBRARY}?
Remind every late reader of ${LIBRARY} by e-mail
List the late readers of ${LIBRARY}
List titles from ${LIBRARY} that are late
Count late loans from ${LIBRARY}
Sum the days late for Ada from ${LIBRARY}
Average days late per reader on ${LIBRARY}
Compare ${LIBRARY} with ${LIBRARY}/stock.csv
Find the books of ${LIBRARY} that are in stock
How many seats does the library have? ${LIBRARY}
Sort the loans of ${LIBRARY} by days late
Group the stock of ${LIBRARY}/stock.csv by branch
Make a chart of ${LIBRARY}/stock.csv
Which branch has the most copies? ${LIBRARY}/stock.csv
Remove duplicates from ${LIBRARY}/stock.csv
List patients from ${CLINIC} seen by Osei
List patient and doctor from ${CLINIC}, longest visit first
Count visits per doctor on ${CLINIC}
Sum minutes from ${CLINIC} for each doctor
Average bill from ${CLINIC} in euros
Highest bill from ${CLINIC} and who paid it
Lowest bill on ${CLINIC} please
Top 2 patients by bill on ${CLINIC}
List emails found on ${CLINIC}
List doctors from ${CLINIC} with more than one visit
What does ${CLINIC} say about opening hours?
Write a letter to patient P3 of ${CLINIC}
Run a check on ${CLINIC}
Book a visit at ${CLINIC} for tomorrow
Run a check on ${LIBRARY}
List title from ${LIBRARY} where days late is more than 5
List title from ${LIBRARY} where days late is not above 5
List title from ${LIBRARY} where days late is above five
List title from ${LIBRARY} where reader is Ada or Cy
List title from ${LIBRARY} where reader is one of Ada, Cy
List title from ${LIBRARY} where reader is Ada, Cy
Count rows from ${LIBRARY} where days late is under 5
Count rows from ${LIBRARY} where reader is not Ada or Cy
Sum seats from ${LIBRARY} where seats is fewer than 10
Tell me a joke`.split("\n");

describe("a command", () => {
  test.each(COMMANDS)("%s", async (prompt, answer) => {
    expect(outcomeOf(await play(prompt, { site, inputs }))).toEqual(answer);
  });
});

test("the tables have at least 60 different commands and 60 different sentences", () => {
  expect(new Set(COMMANDS.map(([prompt]) => prompt)).size).toBeGreaterThanOrEqual(60);
  expect(new Set(SENTENCES).size).toBeGreaterThanOrEqual(60);
});

describe("a sentence of plain English is refused without any effect:", () => {
  test.each(SENTENCES)("%s", async (sentence) => {
    const { status, sent, files, calls } = await play(sentence, { site, inputs });
    expect(status).toBe("failed");
    const mails = calls.filter(({ tool }) => tool === "send_email");
    expect([...sent, ...files, ...mails]).toEqual([]);
  });
});
