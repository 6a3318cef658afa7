import { definitions, html, link, pagesOf, type Site, tablePage } from "../harness/site.ts";

/** The origin of the animal shelter's site. */
export const SHELTER = "http://shelter.example";

const ANIMAL_ROWS = [
  ["biscuit", "Biscuit", "dog", "Beagle", 4, 12.5, 180, "2026-02-11", "yes"],
  ["nori", "Nori", "cat", "Burmese", 2, 4.1, 95, "2026-04-03", "yes"],
  ["tundra", "Tundra", "dog", "Husky", 6, 24.8, 210, "2025-11-19", "yes"],
  ["pickle", "Pickle", "rabbit", "Lop", 1, 1.9, 40, "2026-05-27", "no"],
  ["mango", "Mango", "cat", "Ginger tabby", 9, 5.6, 60, "2025-08-30", "yes"],
  ["otto", "Otto", "dog", "Dachshund", 11, 8.7, 90, "2026-01-06", "no"],
  ["juniper", "Juniper", "cat", "Siamese", 3, 3.8, 110, "2026-03-22", "no"],
  ["waffle", "Waffle", "rabbit", "Rex", 5, 2.6, 35, "2026-05-02", "yes"],
] as const;

export const ANIMALS = ANIMAL_ROWS.map(([slug, name, species, , , , , , vaccinated]) => ({
  slug,
  name,
  species,
  vaccinated,
}));

const ADOPTION_ROWS = [
  ["January", 14, 22, 3, "$4,310"],
  ["February", 11, 19, 5, "$3,725"],
  ["March", 18, 27, 4, "$5,480"],
  ["April", 21, 25, 9, "$5,995"],
  ["May", 16, 31, 7, "$5,610"],
] as const;

export const ADOPTIONS = ADOPTION_ROWS.map(([, dogs, cats, rabbits]) => ({ dogs, cats, rabbits }));

/** The address of an animal's page. */
export function animalUrl(slug: string): string {
  return `${SHELTER}/animals/${slug}`;
}

/** An animal shelter: paged cards with pages of their own, adoptions by month. */
export const SHELTER_SITE: Site = {
  host: "shelter.example",
  pages: {
    ...pagesOf("/animals", "Animals looking for a home", ANIMAL_ROWS, 3, (animals) =>
      animals
        .map(
          ([slug, name, species, , age, , fee]) =>
            `<article class="card"><h2>${link(`/animals/${slug}`, name)}</h2><p>Species: ${species}</p><p>Age: ${age}</p><p>Adoption fee: $${fee}</p></article>`,
        )
        .join(""),
    ),
    ...Object.fromEntries(
      ANIMAL_ROWS.map(([slug, name, species, breed, age, weight, fee, arrived, vaccinated]) => [
        `/animals/${slug}`,
        html(
          name,
          `<h1>${name}</h1>${definitions([
            ["Species", species],
            ["Breed", breed],
            ["Age", `${age} years`],
            ["Weight", `${weight} kg`],
            ["Adoption fee", `$${fee}`],
            ["Arrived", arrived],
            ["Vaccinated", vaccinated],
          ])}`,
        ),
      ]),
    ),
    "/adoptions": tablePage(
      "Adoptions in 2026",
      ["Month", "Dogs", "Cats", "Rabbits", "Fees collected"],
      ADOPTION_ROWS,
    ),
  },
};
