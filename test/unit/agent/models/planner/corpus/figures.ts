import type { Case } from "./case.ts";

/** Prompts about figures, places and separated values. */
export const FIGURES: Case[] = [
  ["Get http://team.test/ and give me Bob Ray's salary", { data: "$55,000" }],
  [
    "What is Ann Lee's email and age on http://team.test/?",
    { data: [{ Email: "ann@team.test", Age: "34" }] },
  ],
  [
    "Which employee at http://team.test/ has the highest salary and what is their email?",
    { has: { Email: "cid@team.test" } },
  ],
  [
    "Show name and salary of the two best paid employees at http://team.test/",
    {
      data: [
        { Name: "Cid Fox", Salary: "$95,000" },
        { Name: "Ann Lee", Salary: "$80,000" },
      ],
    },
  ],
  [
    "Hi, I have the following task for you. First, open http://team.test/. Second, find the youngest person. Third, tell me their city.",
    { has: { City: "Paris" } },
  ],
  [
    "1. Open http://team.test/\n2. Take the table\n3. Keep only people older than 30\n4. Sort them by age, oldest first\n5. Give me the result as a table",
    { first: "Cid Fox" },
  ],
  [
    "Retrieve http://team.test/, keep Name, City and Salary columns, order by Salary desc and give me first 2 rows as JSON",
    {
      data: [
        { Name: "Cid Fox", City: "Paris", Salary: "$95,000" },
        { Name: "Ann Lee", City: "Berlin", Salary: "$80,000" },
      ],
    },
  ],
  ["The 3rd row of the table on http://team.test/", { first: "Cid Fox" }],
  ["I'd like to have a CSV of name,email from http://team.test/", { rows: 4 }],
  ["What is the capital of France according to http://geo.test/countries?", { data: "Paris" }],
  ["What is the population of Japan? Source: http://geo.test/countries", { data: "125000000" }],
  [
    "Please visit <http://geo.test/countries> and add up the population of the European countries",
    { data: 152000000 },
  ],
  [
    "From [the list](http://geo.test/countries), which continent appears most often?",
    { has: { Continent: "Europe", count: 2 } },
  ],
  ["how many countries in Europe are on http://geo.test/countries", { data: 2 }],
  [
    "For http://geo.test/countries give me the country with the smallest population",
    { has: { Country: "Kenya" } },
  ],
  ["What are the top 3 countries by population at http://geo.test/countries?", { first: "Japan" }],
  [
    "http://geo.test/countries: sort by population descending and show the top 2",
    { first: "Japan" },
  ],
  [
    "List the capitals of all countries with more than 60 million inhabitants (http://geo.test/countries)",
    { rows: 3 },
  ],
  ["Show the countries on http://geo.test/countries whose name starts with K", { first: "Kenya" }],
  [
    "On http://geo.test/countries, how many people live in France and Germany together?",
    { data: 152000000 },
  ],
  [
    'Navigate to http://geo.test/countries. Extract the table. Filter rows where Continent equals "Europe". Return Country and Capital only.',
    {
      data: [
        { Country: "France", Capital: "Paris" },
        { Country: "Germany", Capital: "Berlin" },
      ],
    },
  ],
  [
    "Please tell me how many countries with population above 60000000 are listed on http://geo.test/countries",
    { data: 3 },
  ],
  [
    "give me a bullet list of the countries at http://geo.test/countries",
    { data: ["France", "Japan", "Kenya", "Germany"] },
  ],
  [
    "what is the total revenue in http://data.test/sales.csv per region?",
    {
      data: [
        { region: "North", "sum of revenue": 310.5 },
        { region: "South", "sum of revenue": 140 },
      ],
    },
  ],
  [
    "total revenue per product from http://data.test/sales.csv, highest first",
    {
      data: [
        { product: "Coffee", "sum of revenue": 300 },
        { product: "Tea", "sum of revenue": 150.5 },
      ],
    },
  ],
  [
    "Take http://data.test/sales.csv, group by product, sum the revenue and sort by it descending",
    {
      data: [
        { product: "Coffee", "sum of revenue": 300 },
        { product: "Tea", "sum of revenue": 150.5 },
      ],
    },
  ],
  [
    "Use http://data.test/sales.csv: which region sold the most units?",
    { has: { region: "North", "sum of units": 17 } },
  ],
  [
    "Which product had the highest revenue in the South region in http://data.test/sales.csv?",
    { has: { product: "Coffee" } },
  ],
  ["Get http://data.test/sales.csv and tell me the average units as one sentence", { data: 6.25 }],
  ["Compute total units for Coffee in http://data.test/sales.csv", { data: 10 }],
  ["In http://data.test/sales.csv, what's the average revenue of Tea?", { data: 75.25 }],
  ["show rows where region = North in http://data.test/sales.csv", { rows: 2 }],
  ["Filter http://data.test/sales.csv to rows where units > 4 and product is Tea", { rows: 2 }],
  ["Count rows in http://data.test/sales.csv", { data: 4 }],
  ["sum up the revenue in http://data.test/sales.csv", { data: 450.5 }],
  [
    "give me min and max revenue from http://data.test/sales.csv",
    { has: { "min of revenue": 50, "max of revenue": 210 } },
  ],
  ["List distinct products in http://data.test/sales.csv", { data: ["Tea", "Coffee"] }],
  ["Show the last 2 rows of http://data.test/sales.csv", { rows: 2 }],
  ["Convert http://data.test/sales.csv to JSON", { rows: 4 }],
  [
    'What is the total stock value of [{"name":"Lamp","price":12.5,"stock":4},{"name":"Chair","price":80,"stock":1}]?',
    { data: 130 },
  ],
  [
    'Compute the total value of all stock in [{"name":"Lamp","price":12.5,"stock":4},{"name":"Chair","price":80,"stock":1}]',
    { data: 130 },
  ],
  [
    'How much is the inventory worth in [{"name":"Lamp","price":12.5,"stock":4},{"name":"Chair","price":80,"stock":1}]?',
    { data: 130 },
  ],
  [
    'Multiply price by stock for each row of [{"name":"Lamp","price":12.5,"stock":4},{"name":"Chair","price":80,"stock":1}] and add it all up',
    { data: 130 },
  ],
  [
    'Which row of [{"name":"Lamp","price":12.5,"stock":4},{"name":"Chair","price":80,"stock":1}] has the highest stock value?',
    { has: { name: "Chair" } },
  ],
];
