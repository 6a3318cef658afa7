import type { Resource, Site } from "../site.ts";

const page = (title: string, body: string): Resource => ({
  body: `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`,
});

const recipe = (
  name: string,
  facts: [string, string][],
  ingredients: string[],
  steps: string[],
): Resource =>
  page(
    `${name} – The Kitchen`,
    `<header><a href="/">The Kitchen</a></header><h1>${name}</h1><dl>${facts.map(([term, text]) => `<dt>${term}</dt><dd>${text}</dd>`).join("")}</dl><h2>Ingredients</h2><ul>${ingredients.map((one) => `<li>${one}</li>`).join("")}</ul><h2>Method</h2><ol>${steps.map((one) => `<li>${one}</li>`).join("")}</ol>`,
  );

/** Recipes: lists for ingredients and steps, facts in a definition list, and a shop of teas. */
export const KITCHEN: Site = {
  "http://kitchen.test/": page(
    "The Kitchen",
    `<h1>The Kitchen</h1><p>Simple food for busy people.</p><h2>Recipes</h2><ul><li><a href="/recipes/soup">Tomato soup</a></li><li><a href="/recipes/bread">Garlic bread</a></li><li><a href="/recipes/stew">Bean stew</a></li></ul><h2>Teas</h2><ul><li><a href="/tea/assam">Assam tea</a> – £4.20</li><li><a href="/tea/sencha">Sencha tea</a> – £6.80</li><li><a href="/coffee/java">Java coffee</a> – £7.50</li></ul><p><a href="/about">About us</a> · <a href="/teapots">Our pottery</a></p>`,
  ),
  "http://kitchen.test/recipes/soup": recipe(
    "Tomato soup",
    [
      ["Serves", "4"],
      ["Time", "35 minutes"],
      ["Calories", "210"],
    ],
    ["800 g tomatoes", "1 onion", "2 cloves of garlic", "500 ml vegetable stock", "salt"],
    [
      "Chop the onion and the garlic.",
      "Fry them for 5 minutes.",
      "Add the rest and simmer for 25 minutes.",
    ],
  ),
  "http://kitchen.test/recipes/bread": recipe(
    "Garlic bread",
    [
      ["Serves", "2"],
      ["Time", "15 minutes"],
      ["Calories", "380"],
    ],
    ["1 baguette", "80 g butter", "3 cloves of garlic"],
    ["Mix the butter and the garlic.", "Spread and bake for 10 minutes."],
  ),
  "http://kitchen.test/recipes/stew": recipe(
    "Bean stew",
    [
      ["Serves", "6"],
      ["Time", "90 minutes"],
      ["Calories", "320"],
    ],
    ["500 g beans", "2 carrots", "1 onion"],
    ["Soak the beans overnight.", "Boil everything for 80 minutes."],
  ),
  "http://kitchen.test/tea/assam": page(
    "Assam tea",
    "<h1>Assam tea</h1><p>Price: £4.20</p><p>Origin: India</p>",
  ),
  "http://kitchen.test/tea/sencha": page(
    "Sencha tea",
    "<h1>Sencha tea</h1><p>Price: £6.80</p><p>Origin: Japan</p>",
  ),
  "http://kitchen.test/coffee/java": page(
    "Java coffee",
    "<h1>Java coffee</h1><p>Price: £7.50</p><p>Origin: Indonesia</p>",
  ),
  "http://kitchen.test/about": page(
    "About us",
    "<h1>About us</h1><p>We cook since 2011. Write to cook@kitchen.test.</p>",
  ),
};
