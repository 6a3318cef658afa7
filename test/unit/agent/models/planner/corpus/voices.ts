import type { Case } from "./case.ts";

/** Prompts worded after the rules were written, in many voices. */
export const VOICES: Case[] = [
  ["ANALYZE http://team.test/ AND TELL ME THE AVERAGE SALARY", { data: 72750 }],
  ["pull the emails off http://shop.test/", { data: ["info@shop.test", "sales@shop.test"] }],
  ["I want all links. Site: http://shop.test/catalog", { rows: 3 }],
  ['"http://shop.test/products" cheapest?', { has: { Product: "Blue Mug" } }],
  ["http://team.test/ oldest employee", { has: { Name: "Cid Fox" } }],
  ["names from http://team.test/", { data: ["Ann Lee", "Bob Ray", "Cid Fox", "Dee Kim"] }],
  ["http://a.test/ title", { data: "Shop A" }],
  ["Can u tell me how many ppl work in Engineering at http://team.test/?", { data: 2 }],
  ["Using http://team.test/, list everyone earning more than 60k", { rows: 3 }],
  [
    "Using http://team.test/, list everyone earning less than $60,000 ordered by salary ascending",
    { rows: 1 },
  ],
  ["Show the three youngest people on http://team.test/", { first: "Bob Ray" }],
  ["bottom 2 products by rating on http://shop.test/products", { first: "Green Chair" }],
  ["Rank the products on http://shop.test/products by rating", { first: "Steel Pan" }],
  ["Which of the products on http://shop.test/products are available?", { rows: 3 }],
  ["which products are sold out on http://shop.test/products?", { rows: 2 }],
  ["Is there anything cheaper than 10 dollars at http://shop.test/products?", { rows: 1 }],
  ["Do they have any lamp on http://shop.test/products?", { first: "Red Lamp" }],
  ['Find products whose name contains "Mug" on http://shop.test/products', { first: "Blue Mug" }],
  ["Find products with 'lamp' in the name on http://shop.test/products", { first: "Red Lamp" }],
  ["any product with rating below 4 at http://shop.test/products?", { first: "Green Chair" }],
  ["Return the table at http://team.test/ without the Salary column", { rows: 4 }],
  ["drop the Email column from http://team.test/ and show the rest", { rows: 4 }],
  ["All employees at http://team.test/ except Bob Ray", { rows: 3 }],
  ["Which product on http://shop.test/products has a rating of 4.8?", { first: "Steel Pan" }],
  ["Who has a salary of $55,000 on http://team.test/?", { first: "Bob Ray" }],
  ["What does Cid Fox earn according to http://team.test/?", { data: "$95,000" }],
  ["In which city does Bob Ray live? Look it up at http://team.test/", { data: "Paris" }],
  [
    "Extract product, price and rating from http://shop.test/products where category is Home and sort by rating descending, limit 2",
    { first: "Wool Rug" },
  ],
  [
    "SELECT name, age FROM http://team.test/ WHERE age > 30 ORDER BY age DESC LIMIT 2",
    {
      data: [
        { Name: "Cid Fox", Age: "45" },
        { Name: "Dee Kim", Age: "39" },
      ],
    },
  ],
  ["Total number of products on http://shop.test/products", { data: 5 }],
  ["number of countries on http://geo.test/countries", { data: 4 }],
  ["How many people live in Japan? http://geo.test/countries", { data: "125000000" }],
  [
    "What's the combined population of all countries at http://geo.test/countries?",
    { data: 331000000 },
  ],
  ["Which countries are not in Europe? http://geo.test/countries", { rows: 2 }],
  ["Which continents are on http://geo.test/countries?", { data: ["Europe", "Asia", "Africa"] }],
  [
    "population per continent at http://geo.test/countries",
    {
      data: [
        { Continent: "Europe", "sum of Population": 152000000 },
        { Continent: "Asia", "sum of Population": 125000000 },
        { Continent: "Africa", "sum of Population": 54000000 },
      ],
    },
  ],
  [
    "Which country has more people, Japan or Germany? http://geo.test/countries",
    { has: { Country: "Japan" } },
  ],
  [
    "list countries with population between 60 and 90 million on http://geo.test/countries",
    { rows: 2 },
  ],
  ['Countries with a capital starting with "P" at http://geo.test/countries', { first: "France" }],
  ["Fetch http://data.test/sales.csv and show the sum of units by region and product", { rows: 4 }],
  [
    "http://data.test/sales.csv average revenue by region",
    {
      data: [
        { region: "North", "average of revenue": 155.25 },
        { region: "South", "average of revenue": 70 },
      ],
    },
  ],
  [
    "What was the best selling product in http://data.test/sales.csv by units?",
    { has: { product: "Tea" } },
  ],
  ["the biggest revenue in http://data.test/sales.csv", { has: { product: "Coffee" } }],
  ["Fetch data from http://data.test/sales.csv, keep North only, and output as CSV", { rows: 2 }],
  ["From http://api.test/users.json give me Ann's city", { data: "Berlin" }],
  ["How old is Bob (http://api.test/users.json)?", { data: 28 }],
  ["ids of inactive users at http://api.test/users.json", { data: [2] }],
  ["How many entries are in the users array at http://api.test/users.json?", { data: 3 }],
  ["Does http://api.test/users.json contain a user named Bob?", { data: true }],
  ["first user in http://api.test/users.json", { rows: 1 }],
  [
    "Query http://api.test/api/status for its version and uptime",
    { has: { version: "2.4.1", uptime: 99.9 } },
  ],
  [
    "List the products and prices on http://market.test/",
    {
      data: [
        { name: "Oak Desk", price: "$199.00" },
        { name: "Pine Shelf", price: "$49.50" },
        { name: "Elm Stool", price: "$25.00" },
      ],
    },
  ],
  ["Which product on http://market.test/ is the cheapest?", { has: { name: "Elm Stool" } }],
  ["Products on http://market.test/ that cost less than $100", { rows: 2 }],
  ["Which products at http://market.test/ are in stock?", { rows: 2 }],
  ["What is the highest rated product on http://market.test/?", { has: { name: "Elm Stool" } }],
  ["Sort the goods at http://market.test/ by price, highest first", { first: "Oak Desk" }],
  ["How many products are on http://market.test/?", { data: 3 }],
  [
    "Follow each product link on http://market.test/ and collect name, price and material",
    {
      data: [
        { title: "Oak Desk", Price: "$199.00", Material: "Oak" },
        { title: "Pine Shelf", Price: "$49.50", Material: "Pine" },
        { title: "Elm Stool", Price: "$25.00", Material: "Elm" },
      ],
    },
  ],
  ["What material is the Oak Desk made of? Look at http://market.test/p/1", { data: "Oak" }],
  [
    "Visit all product pages on http://market.test/ and tell me which one is made of pine",
    { first: "Pine Shelf" },
  ],
  ["What's the most expensive dish at http://menu.test/?", { has: { name: "Fish" } }],
  ["dishes under 12 euros on http://menu.test/", { rows: 2 }],
  ["total of all prices on http://menu.test/", { data: 35.4 }],
  ["Extract the second table of http://multi.test/", { first: "Ann" }],
  ['Get the table "Staff" from http://multi.test/', { first: "Ann" }],
  ["Sum of revenue at http://multi.test/", { data: 3600 }],
  ["Which quarter had the highest revenue on http://multi.test/?", { has: { Quarter: "Q2" } }],
  ["How many tables are on http://multi.test/?", { data: 2 }],
  ["Get http://api.test/api/orders and list ids of shipped orders", { data: ["A1", "A3"] }],
  ["What is the total of order A2 at http://api.test/api/orders?", { data: 80 }],
  [
    "sum of totals per status at http://api.test/api/orders",
    {
      data: [
        { status: "shipped", "sum of total": 162.5 },
        { status: "pending", "sum of total": 80 },
      ],
    },
  ],
  ["Names of customers from FR at http://api.test/api/orders", { data: ["Ann", "Cid"] }],
  [
    "List the customers with orders over 50 in http://api.test/api/orders, highest total first",
    { rows: 2 },
  ],
  ["unique tags from http://api.test/api/tags", { data: ["red", "green", "blue"] }],
  ["read http://api.test/api/orders and give me data.orders[0].customer.name", { data: "Ann" }],
  ["What is Jane's job? http://people.test/", { data: "Architect" }],
  ["When was Jane born according to http://people.test/?", { data: "1980" }],
  [
    "Compare http://market.test/p/1 and http://market.test/p/3: which one is cheaper?",
    { has: { title: "Elm Stool" } },
  ],
];
