import type { Case } from "./case.ts";

/** Prompts about products and people in tables. */
export const TABLES: Case[] = [
  ["Which product is cheapest on http://shop.test/products?", { has: { Product: "Blue Mug" } }],
  [
    "Hey! Could you please have a look at http://shop.test/products and let me know what the most expensive item is? Thanks a lot :)",
    { has: { Product: "Wool Rug" } },
  ],
  ["How many employees does http://team.test/ list?", { data: 4 }],
  ["What's the average rating of the products at http://shop.test/products?", { data: 4.38 }],
  ["avarage age on http://team.test/ plz", { data: 36.5 }],
  [
    "Extract the table from http://shop.test/products and sort it by price from high to low",
    { first: "Wool Rug" },
  ],
  [
    "List all products on http://shop.test/products, sorted from cheapest to most expensive.",
    { first: "Blue Mug" },
  ],
  [
    "List the names and prices of all products cheaper than $30 on http://shop.test/products.",
    {
      data: [
        { Product: "Blue Mug", Price: "$7.50" },
        { Product: "Red Lamp", Price: "$25.00" },
      ],
    },
  ],
  ["Which products at http://shop.test/products cost between 20 and 90 dollars?", { rows: 3 }],
  ["products between $10 and $40 on http://shop.test/products", { rows: 2 }],
  ["show everything under 50 dollars from http://shop.test/products", { rows: 3 }],
  ["products costing $32 on http://shop.test/products", { rows: 1 }],
  ["Are there any products under $10 at http://shop.test/products?", { rows: 1 }],
  ["show me only the ones in stock from http://shop.test/products", { rows: 3 }],
  ["List products on http://shop.test/products that are not in stock", { rows: 2 }],
  [
    "List the products at http://shop.test/products which have a rating higher than 4 but are not in stock",
    { rows: 2 },
  ],
  [
    "http://shop.test/products - products rated above 4.2, names only",
    { data: ["Blue Mug", "Steel Pan", "Wool Rug"] },
  ],
  [
    "Please list products with a rating of at least 4.5 from http://shop.test/products, best rated first",
    { first: "Steel Pan" },
  ],
  ["Find the 2 cheapest products that are in stock on http://shop.test/products", { rows: 2 }],
  [
    "What's the cheapest thing I can buy at http://shop.test/products that's in stock?",
    { has: { Product: "Blue Mug" } },
  ],
  ["Find the second most expensive product on http://shop.test/products", { first: "Green Chair" }],
  ["top 3 most expensive products on http://shop.test/products as JSON", { rows: 3 }],
  [
    "Group the products at http://shop.test/products by category and count them",
    {
      data: [
        { Category: "Kitchen", count: 2 },
        { Category: "Home", count: 3 },
      ],
    },
  ],
  [
    "what category has the most products on http://shop.test/products",
    { has: { Category: "Home", count: 3 } },
  ],
  [
    "On http://shop.test/products, how much do all the kitchen items cost together?",
    { data: 39.5 },
  ],
  ["What's the total price of everything on http://shop.test/products?", { data: 274.4 }],
  [
    "Tell me the sum, average, min and max of the prices on http://shop.test/products.",
    {
      has: {
        "sum of Price": 274.4,
        "average of Price": 54.88,
        "min of Price": 7.5,
        "max of Price": 120,
      },
    },
  ],
  ["how many of the products on http://shop.test/products are in stock?", { data: 3 }],
  ["What percentage of products on http://shop.test/products is in stock?", { data: 60 }],
  ["Is the Red Lamp in stock at http://shop.test/products?", { data: "No" }],
  ["How much does the Steel Pan cost? http://shop.test/products", { data: "$32.00" }],
  [
    "I want to know how much the green chair costs at http://shop.test/products",
    { data: "$89.90" },
  ],
  [
    "Return only the product names from http://shop.test/products, alphabetically, comma separated",
    { data: ["Blue Mug", "Green Chair", "Red Lamp", "Steel Pan", "Wool Rug"] },
  ],
  [
    "Get all items from http://shop.test/products except those in the Kitchen category",
    { rows: 3 },
  ],
  [
    "Which products are in the Kitchen category at http://shop.test/products? Answer as a JSON array of names.",
    { data: ["Blue Mug", "Steel Pan"] },
  ],
  [
    "Can you grab all the product names from http://shop.test/products? I only care about the ones that cost more than 25 bucks.",
    { data: ["Green Chair", "Steel Pan", "Wool Rug"] },
  ],
  ["Make a table with columns product and price from http://shop.test/products", { rows: 5 }],
  ["Does http://shop.test/products list a Blue Mug?", { rows: 1 }],
  ["sort http://shop.test/products by weight", { failed: /weight.*Product, Price/ }],
  [
    "list the names and weights of the products on http://shop.test/products",
    { failed: /weights.*Product, Price/ },
  ],
  ["what is the average weight on http://shop.test/products", { failed: /weight.*Product, Price/ }],
  [
    "emails of people in Engineering at http://team.test/",
    { data: ["ann@team.test", "cid@team.test"] },
  ],
  ["Who earns the most on http://team.test/?", { has: { Name: "Cid Fox" } }],
  [
    "What's the median salary by department at http://team.test/?",
    {
      data: [
        { Department: "Engineering", "median of Salary": 87500 },
        { Department: "Sales", "median of Salary": 55000 },
        { Department: "Marketing", "median of Salary": 61000 },
      ],
    },
  ],
  [
    "Using the table on http://team.test/, compute the average salary for each city.",
    {
      data: [
        { City: "Berlin", "average of Salary": 70500 },
        { City: "Paris", "average of Salary": 75000 },
      ],
    },
  ],
  [
    "Which department has the highest average salary at http://team.test/?",
    { has: { Department: "Engineering", "average of Salary": 87500 } },
  ],
  [
    "average salary in Engineering vs Sales at http://team.test/",
    {
      data: [
        { Department: "Engineering", "average of Salary": 87500 },
        { Department: "Sales", "average of Salary": 55000 },
      ],
    },
  ],
  ["Give me a count of employees by department (http://team.test/)", { rows: 3 }],
  [
    "http://team.test/ -> count people per city",
    {
      data: [
        { City: "Berlin", count: 2 },
        { City: "Paris", count: 2 },
      ],
    },
  ],
  ["What departments exist at http://team.test/?", { data: ["Engineering", "Sales", "Marketing"] }],
  [
    "Which cities do the people on http://team.test/ live in? No duplicates please.",
    { data: ["Berlin", "Paris"] },
  ],
  [
    "I need a list of the names of everybody working in Paris. The page is http://team.test/",
    { data: ["Bob Ray", "Cid Fox"] },
  ],
  ["Everyone at http://team.test/ whose salary is at least 60000, sorted by name", { rows: 3 }],
  ["http://team.test/ who is not from Berlin?", { rows: 2 }],
  ["Find every person from http://team.test/ who lives in Berlin or works in Sales", { rows: 3 }],
  [
    "List names of employees at http://team.test/ older than 30 and not in Engineering.",
    { data: ["Dee Kim"] },
  ],
  [
    "Look at http://team.test/ and tell me which employees are between 30 and 40 years old",
    { rows: 2 },
  ],
  ["Who is older, Ann Lee or Dee Kim? http://team.test/", { has: { Name: "Dee Kim" } }],
  ["How old is Cid Fox? See http://team.test/", { data: "45" }],
  ["where does Dee Kim work (http://team.test/)?", { data: "Berlin" }],
  [
    "Which product on http://shop.test/products is the most expensive?",
    { has: { Product: "Wool Rug" } },
  ],
  [
    "Which product on http://shop.test/products is the least expensive?",
    { has: { Product: "Blue Mug" } },
  ],
  [
    "Which product is most expensive at http://shop.test/products",
    { has: { Product: "Wool Rug" } },
  ],
  [
    "Tell me which product is least affordable on http://shop.test/products.",
    { has: { Product: "Wool Rug" } },
  ],
  ["Which product costs the most? http://shop.test/products", { has: { Product: "Wool Rug" } }],
  [
    "On http://shop.test/products, which product costs the least?",
    { has: { Product: "Blue Mug" } },
  ],
  ["Which item costs the most money? http://shop.test/products", { has: { Product: "Wool Rug" } }],
  [
    "List the products on http://shop.test/products that cost the most",
    { has: { Product: "Wool Rug" } },
  ],
  ["Which department at http://team.test/ pays the most?", { has: { Name: "Cid Fox" } }],
  [
    "Which country on http://geo.test/countries is the most populous?",
    { has: { Country: "Japan" } },
  ],
  [
    "Which country is least populated? See http://geo.test/countries",
    { has: { Country: "Kenya" } },
  ],
  [
    "Which product is the most recent on http://shop.test/products?",
    { failed: /no column "date"/ },
  ],
  [
    "Which category is the most common on http://shop.test/products?",
    { has: { Category: "Home", count: 3 } },
  ],
  [
    "Which category appears most on http://shop.test/products?",
    { has: { Category: "Home", count: 3 } },
  ],
];
