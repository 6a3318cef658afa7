import type { Case } from "./case.ts";

/** Prompts of strangers about hotels, goods, a conference and a gym. */
export const LEISURE_PROMPTS: Case[] = [
  [
    "List the hotels on http://stay.test/ in Oslo",
    { names: ["Alpha Inn", "Gamma Palace", "Delta Hostel"], lacks: ["Beta"] },
  ],
  [
    "Which hotel at http://stay.test/ is the cheapest?",
    { names: ["Delta Hostel"], lacks: ["Alpha"] },
  ],
  ["http://stay.test/ average price per night", { data: 136.25 }],
  [
    "hotels with a pool under $200 http://stay.test/",
    { names: ["Alpha Inn"], lacks: ["Gamma", "Beta", "Delta"] },
  ],
  [
    "Dear assistant, kindly tabulate the name, city and number of stars of every hotel shown at http://stay.test/.",
    { rows: 4, names: ["Beta Lodge", "Bergen"], lacks: ["$80"], output: "table" },
  ],
  [
    "Open the details of each hotel on http://stay.test/ and tell me how many rooms they have in total",
    { data: 245 },
  ],
  [
    "Follow every Details link on http://stay.test/ and list hotels where pets are allowed",
    { names: ["Alpha", "Delta"], lacks: ["Gamma", "Beta"] },
  ],
  ["does every hotel on http://stay.test/ have a pool?", { data: false, says: /Beta Lodge/ }],
  [
    "How many hotels on http://stay.test/ have at least 4 stars? number only",
    { data: 2, says: /^2$/ },
  ],
  ["links about the team on http://stay.test/", { names: ["/team"], lacks: ["/steam"] }],
  ["I am search hotel in Bergen on http://stay.test/, what is price?", { says: /80/ }],
  ["e-mail and phone of http://stay.test/", { names: ["book@stay.test", "+47 22 12 34 56"] }],
  ["price per star for each hotel on http://stay.test/", { names: ["30", "62", "17.5"] }],
  [
    "Which city on http://stay.test/ has the most hotels?",
    { names: ["Oslo", "3"], lacks: ["Bergen"] },
  ],
  ["hotels http://stay.test/ as excel file plz", { rows: 4, output: "file", says: /\.xlsx/ }],
  [
    "What's the most expensive hotel on http://stay.test/ and how many stars does it have?",
    { names: ["Gamma Palace"], says: /5/ },
  ],
  [
    "what talks are on day 2 of http://conf.test/",
    { names: ["Edge agents", "Panel"], lacks: ["Opening"] },
  ],
  ["How many talks are there on day 1 at http://conf.test/?", { data: 3 }],
  [
    "ticket prices of http://conf.test/ from cheapest to most expensive",
    { rows: 3, names: ["€60"] },
  ],
  ["sponsors of http://conf.test/", { names: ["Big Corp", "Small Ltd"], lacks: ["Opening"] }],
  ["Who speaks about queues at http://conf.test/?", { says: /Kim Lee/ }],
  ["Where does http://conf.test/ take place?", { says: /Lyon/ }],
  ["How many student tickets are left at http://conf.test/?", { says: /\b12\b/ }],
  [
    "get h2 headings of http://conf.test/ and also the contact email",
    { names: ["Day 1", "Sponsors", "hi@conf.test"] },
  ],
  [
    "Please give me the heading that mentions tickets on http://conf.test/",
    { names: ["Tickets"], lacks: ["Day 1"] },
  ],
  [
    "external links of http://conf.test/ only, as a list",
    { names: ["big.example", "small.example"], lacks: ["mailto"] },
  ],
  ["How many tickets are left altogether? http://conf.test/", { data: 52 }],
  ["Is there a talk about types at http://conf.test/?", { says: /^yes/i }],
  [
    "What is the title of http://conf.test/ and how many tables does it have?",
    { says: /DevConf 2026[\s\S]*1|1[\s\S]*DevConf 2026/ },
  ],
  [
    "product names and prices on http://gear.test/shop",
    { rows: 3, names: ["Trail Tent", "€189.00", "Camp Stove"] },
  ],
  [
    "all products on all pages of http://gear.test/shop, cheapest first",
    { rows: 5, names: ["Head Lamp", "Rain Jacket"] },
  ],
  [
    "Which products on http://gear.test/shop are out of stock?",
    { names: ["Down Bag"], lacks: ["Trail"] },
  ],
  ["whats the total of all prices across every page of http://gear.test/shop", { data: 506.4 }],
  [
    "I'd like to know the average price of in-stock products on http://gear.test/shop, please go through all pages",
    { data: 105.666666666667 },
  ],
  [
    "Open every product on http://gear.test/shop and give me a table of name and weight",
    { rows: 3, names: ["2.4 kg", "0.9 kg", "1.1 kg"], output: "table" },
  ],
  [
    "Which of the products on http://gear.test/shop is the lightest? (see their detail pages)",
    { says: /Camp Stove/ },
  ],
  ["What is the returns policy of http://gear.test/shop?", { says: /14 days/ }],
  ["is shipping free at http://gear.test/shop?", { says: /Free shipping over/ }],
  ["What weight has the Trail Tent http://gear.test/item/trail", { says: /2\.4 kg/ }],
  [
    "compare weight of http://gear.test/item/trail and http://gear.test/item/camp",
    { says: /2\.4[\s\S]*0\.9/ },
  ],
  ["Monday classes at http://gym.test/", { names: ["Yoga", "Boxing"], lacks: ["Spin"] }],
  ["Who teaches spin at http://gym.test/?", { says: /Jon/ }],
  ["How many places are there in total in all classes of http://gym.test/?", { data: 40 }],
  ["How much is the monthly pass at http://gym.test/?", { says: /35/ }],
  ["When does http://gym.test/ open at the weekend?", { says: /08:00/ }],
  [
    "email and phone of the manager of http://gym.test/",
    { names: ["lea@gym.test", "020 7946 0999"] },
  ],
  ["Are all classes on http://gym.test/ on Monday?", { data: false, says: /Spin/ }],
  [
    "Give me the number of trainers at http://gym.test/. Just the number, please.",
    { data: 2, says: /^2$/ },
  ],
  [
    "1. open http://gym.test/ 2. list the classes sorted by places, fewest first 3. save as csv",
    { rows: 3, output: "file", names: ["Boxing"] },
  ],
  ["hotels at http://stay.test/ sorted by stars then price", { rows: 4 }],
  [
    "hotels in Oslo or Bergen with fewer than 4 stars http://stay.test/",
    { names: ["Beta", "Delta"], lacks: ["Alpha", "Gamma"] },
  ],
  [
    "cheapest ticket still available at http://conf.test/",
    { names: ["Student"], lacks: ["Early"] },
  ],
  ["trainer with the most classes at http://gym.test/", { names: ["Jon"], lacks: ["Nora"] }],
  ["gym classes sorted by start time from http://gym.test/", { rows: 3, names: ["Spin"] }],
];
