import type { Case } from "./case.ts";

const BILLS = "http://marina.test/bills";
const REGATTA = "http://marina.test/regatta";
const CREW = "http://marina.test/crew";
const SHOP = "http://marina.test/chandlery";
const LOG = "http://marina.test/log.csv";
const WORK = "http://marina.test/work";

/** A state is what the column says: "open" is no kind of "paid". */
const STATES: Case[] = [
  [`Show me the open bills on ${BILLS}`, { names: ["M-41", "M-44"], lacks: ["M-42", "M-43"] }],
  [`open bills at ${BILLS}`, { rows: 2, lacks: ["paid"] }],
  [`How many are still open on ${BILLS}?`, { data: 2 }],
  [`Open ${BILLS} and list the bills`, { rows: 6 }],
  [`Open the page ${BILLS} and tell me which bills are open`, { rows: 2 }],
  [`What is the total of the open bills on ${BILLS}?`, { data: 374.25 }],
  [`sum of all paid bills at ${BILLS}`, { data: 175.5 }],
  [`What do the late bills on ${BILLS} add up to?`, { data: 160 }],
  [`Which bills on ${BILLS} are not paid yet?`, { rows: 4, lacks: ["M-42", "M-45"] }],
  [`list the unpaid bills of ${BILLS}`, { rows: 4, lacks: ["M-42", "M-45"] }],
  [`how many bills on ${BILLS} are open or late?`, { data: 4 }],
  [`paid and open bills at ${BILLS}`, { rows: 4, lacks: ["late"] }],
  [`Is M-41 on ${BILLS} open?`, { says: /^Yes\. The Status of M-41 is open/ }],
  [`Is M-43 on ${BILLS} open?`, { says: /^The Status of M-43 is late/ }],
  [`Is M-41 on ${BILLS} paid?`, { says: /^The Status of M-41 is open/ }],
  [`Is M-41 on ${BILLS} closed?`, { says: /^No\. The Status of M-41 is open/ }],
  [`Are there open bills on ${BILLS}?`, { rows: 2, says: /^Yes\./ }],
  [`Is the Anchor at ${SHOP} in stock?`, { says: /^No\. / }],
  [`Is the Shackle at ${SHOP} in stock?`, { says: /^Yes\. / }],
  [`closed bills at ${BILLS}`, { failed: /I did not understand: "closed"/ }],
  [`Save the open bills from ${BILLS} as open-bills.csv`, { rows: 2, files: ["open-bills.csv"] }],
  [`Save ${BILLS} as open-bills.csv`, { rows: 6, files: ["open-bills.csv"] }],
  [
    `How many bills are open at ${BILLS}, and what is their total?`,
    { data: { "sum of Sum due": 374.25, count: 2 } },
  ],
  [
    `How many bills of ${BILLS} are late? What is the average amount of these?`,
    { has: { table: 2, "table 2": 80 } },
  ],
  [
    `how many people on ${CREW} are in the Workshop and who is the newest of them?`,
    { says: /Ines Prado has the highest Joined/ },
  ],
];

/** One list in several tables is one list. */
const TABLES: Case[] = [
  [`How many races are there on ${REGATTA}?`, { data: 5 }],
  [`the programme of ${REGATTA}`, { rows: 5, names: ["Saturday", "Sunday"] }],
  [`Save ${REGATTA} as Excel`, { rows: 5, output: "file" }],
  [`Export all tables on ${REGATTA} to csv`, { rows: 5 }],
  [`How many races are sailed on Sunday at ${REGATTA}?`, { data: 3 }],
  [
    `How many races per day on ${REGATTA}?`,
    {
      data: [
        { Day: "Saturday", count: 2 },
        { Day: "Sunday", count: 3 },
      ],
    },
  ],
  [`Which races take the Outer course? ${REGATTA}`, { rows: 3, names: ["Cutters", "Sloops"] }],
  [`Show the second table of ${REGATTA}`, { rows: 3, lacks: ["Dinghies"] }],
  [
    "Save the table on http://marina.test/berths as csv",
    { rows: 2, says: /one of 2 tables on the page; not used: "Winter storage"/ },
  ],
  ["Who keeps shed B? http://marina.test/berths", { names: ["Sven"] }],
];

/** Closings, and superlatives that are said of nothing. */
const CLOSINGS: Case[] = [
  [`Give me the list on ${SHOP} as csv. Best regards, Tom`, { rows: 4 }],
  [`Show the table of ${SHOP}\n\nBest,\nTom Miller\nHarbour Office`, { rows: 4 }],
  [`List the crew on ${CREW} please, kind regards`, { rows: 3 }],
  [`Get the crew of ${CREW}. Cheers, Pia`, { rows: 3 }],
  [
    `Mail ann@home.test the crew on ${CREW}. Best, Tom`,
    { rows: 3, mails: [{ to: ["ann@home.test"] }] },
  ],
  [`Show me the table on ${SHOP}; this is for later.`, { rows: 4 }],
  [`list everything on ${SHOP}. Do your best!`, { rows: 4 }],
  [`What is the best price on ${SHOP}?`, { says: /lowest Price: €4.50/ }],
  [`which bill on ${BILLS} is the latest?`, { failed: /There is no column "date"/ }],
  [`who on ${CREW} is the newest colleague?`, { has: { Name: "Sven Dahl" } }],
];

/** What is to go is never what is given. */
const REMOVED: Case[] = [
  [
    `remove the rows without a level from ${LOG} and give me the rest`,
    { rows: 3, lacks: ["South"] },
  ],
  [
    `Drop everybody from the Workshop in ${CREW} and write the others to others.xlsx`,
    { names: ["Sven"], lacks: ["Olga", "Ines"], files: ["others.xlsx"] },
  ],
  [`Fetch ${SHOP}, then delete the rows from Norrsken, export csv`, { rows: 1, names: ["Anchor"] }],
  [`Leave out sold-out articles and save ${SHOP} as have.xlsx`, { rows: 3, lacks: ["Anchor"] }],
  [`throw out the paid bills of ${BILLS} and show me what is left`, { rows: 4, lacks: ["paid"] }],
  [`Show ${BILLS} but leave out everything from Petrel`, { rows: 4, lacks: ["Petrel"] }],
  [`On ${BILLS} get rid of the open and the late ones, then tell me how many remain`, { data: 2 }],
  [
    `From ${SHOP} remove anything over 50 euros and list the others`,
    { rows: 3, lacks: ["Anchor"] },
  ],
  [`Exclude boats Petrel and Tern from ${BILLS}, then count the rest`, { data: 2 }],
  [`just throw out the rows without a level and the repeated ones of ${LOG}`, { rows: 2 }],
  [`Delete the Maker column from ${SHOP} and save as csv`, { rows: 4, lacks: ["Norrsken"] }],
  [
    `Remove the boring articles from ${SHOP} and give me the rest`,
    { failed: /I did not understand which rows are to go/ },
  ],
];

/** What no rule can do. */
const BEYOND: Case[] = [
  [`Write a persuasive blog post about the articles on ${SHOP}`, { failed: /texts of its own/ }],
  [`Compose a friendly sales pitch for the articles on ${SHOP}`, { failed: /texts of its own/ }],
  [`draft an elegant little advert for ${SHOP}`, { failed: /texts of its own/ }],
  [`Which of the people on ${CREW} is the friendliest?`, { failed: /friendliest/ }],
  [`Create a PDF report from ${BILLS}`, { failed: /PDF/ }],
  [`Make me a PowerPoint presentation from ${BILLS}`, { failed: /presentations/ }],
  [`Turn ${BILLS} into slides`, { failed: /presentations/ }],
  [`Add a 25% VAT column to ${SHOP}`, { failed: /VAT/ }],
  [`Show the prices of ${SHOP} plus 25% VAT`, { failed: /VAT/ }],
  [`Delete bill M-43 on ${BILLS}`, { failed: /change anything on a site/ }],
  [`Update the price of Fender on ${SHOP} to 5`, { failed: /change anything on a site/ }],
  [`Set the status of M-43 to paid on ${BILLS}`, { failed: /change anything on a site/ }],
  [`Mark bill M-43 as paid on ${BILLS}`, { failed: /change anything on a site/ }],
];

/** Words of an order are no columns to show. */
const WHOLE: Case[] = [
  [`get me the price list from ${SHOP} in excel`, { names: ["Maker"], rows: 4 }],
  [`the article price list at ${SHOP}`, { names: ["Maker", "In stock"], rows: 4 }],
  [`Show the department list of ${CREW}`, { names: ["Email"], rows: 3 }],
  [
    `Read ${SHOP}, clean it (no duplicates, trimmed names, prices as numbers) and save as shop.xlsx`,
    { rows: 3, names: ["Maker", "Currency"], files: ["shop.xlsx"] },
  ],
  [`Take ${SHOP}, make the prices numbers, remove duplicates`, { rows: 3, names: ["Maker"] }],
  [
    `Convert the Joined column of ${CREW} to ISO dates (YYYY-MM-DD), then give it to me sorted by that date`,
    { rows: 3, first: "2014-05-03", names: ["2021-01-12", "Email"] },
  ],
  [`put the Joined dates of ${CREW} into ISO format`, { rows: 3, names: ["2019-08-30", "Name"] }],
  [
    `${LOG} - lower case for the names please, as json`,
    { names: ["north gate"], lacks: ["North"] },
  ],
  [`Normalise the names in ${LOG} to lower case`, { names: ["south gate"], lacks: ["South"] }],
  [`Please treat ${SHOP} so that the prices are numbers`, { rows: 4, names: ["Maker", "EUR"] }],
  [`Take ${LOG} and write the gate names in upper case`, { names: ["SOUTH GATE", "level"] }],
  [
    `On ${SHOP} split the Price into a number column and a currency column`,
    { rows: 4, names: ['"Price":4.5', '"Currency":"EUR"'] },
  ],
  [`Give me a table with name and department of ${CREW}`, { rows: 3, lacks: ["Email"] }],
];

/** Pages behind links, opened one by one. */
const SINGLY: Case[] = [
  [
    `Open the jobs at ${WORK} one by one, and write the title, salary and contact address of each into work.xlsx`,
    { rows: 2, names: ["Rigger", "3,100 EUR", "rig@marina.test"], files: ["work.xlsx"] },
  ],
  [
    `for each link on ${WORK} give me the e-mail on the page behind it`,
    { data: ["rig@marina.test", "sail@marina.test"] },
  ],
  [`Visit the postings on ${WORK} one after the other and list the salary of each`, { rows: 2 }],
];

const RELEASES = "http://marina.test/tide/releases";
const LEAGUE = "http://league.test/";

/** Versions in headings, and names that stand in either of two columns. */
const NAMED: Case[] = [
  [`What is the latest version on ${RELEASES}?`, { has: { Version: "2.4.0" } }],
  [`When was 2.3.1 released according to ${RELEASES}?`, { names: ["2026-01-09"] }],
  [`What is new in 2.4.0 on ${RELEASES}?`, { names: ["Shows neap tides"], lacks: ["alarm"] }],
  [`Matches where City plays on ${LEAGUE}`, { rows: 2, names: ["North Arena", "City Dome"] }],
  [`Which games does City play? ${LEAGUE}`, { rows: 2 }],
  [`Matches where Rovers play at home ${LEAGUE}`, { rows: 1, names: ["North Arena"] }],
  [`games of United away ${LEAGUE}`, { rows: 1, names: ["Athletic"] }],
  [`Show the table on ${CREW}. ann@home.test is only mentioned.`, { rows: 3 }],
];

/** Prompts about the marina: states, split tables, what is to go, closings, whole lists. */
export const MARINA_PROMPTS: Case[] = [
  ...STATES,
  ...TABLES,
  ...CLOSINGS,
  ...REMOVED,
  ...BEYOND,
  ...WHOLE,
  ...SINGLY,
  ...NAMED,
];
