import { csvPage, definitions, html, link, type Site, table } from "../harness/site.ts";

/** The origin of the animal shelter's site. */
export const SHELTER = "http://shelter.example";

export const ANIMALS = [
  {
    slug: "biscuit",
    name: "Biscuit",
    species: "dog",
    breed: "Beagle",
    age: 4,
    weight: 12.5,
    fee: 180,
    arrived: "2026-02-11",
    vaccinated: "yes",
  },
  {
    slug: "nori",
    name: "Nori",
    species: "cat",
    breed: "Burmese",
    age: 2,
    weight: 4.1,
    fee: 95,
    arrived: "2026-04-03",
    vaccinated: "yes",
  },
  {
    slug: "tundra",
    name: "Tundra",
    species: "dog",
    breed: "Husky",
    age: 6,
    weight: 24.8,
    fee: 210,
    arrived: "2025-11-19",
    vaccinated: "yes",
  },
  {
    slug: "pickle",
    name: "Pickle",
    species: "rabbit",
    breed: "Lop",
    age: 1,
    weight: 1.9,
    fee: 40,
    arrived: "2026-05-27",
    vaccinated: "no",
  },
  {
    slug: "mango",
    name: "Mango",
    species: "cat",
    breed: "Ginger tabby",
    age: 9,
    weight: 5.6,
    fee: 60,
    arrived: "2025-08-30",
    vaccinated: "yes",
  },
  {
    slug: "otto",
    name: "Otto",
    species: "dog",
    breed: "Dachshund",
    age: 11,
    weight: 8.7,
    fee: 90,
    arrived: "2026-01-06",
    vaccinated: "no",
  },
  {
    slug: "juniper",
    name: "Juniper",
    species: "cat",
    breed: "Siamese",
    age: 3,
    weight: 3.8,
    fee: 110,
    arrived: "2026-03-22",
    vaccinated: "no",
  },
  {
    slug: "waffle",
    name: "Waffle",
    species: "rabbit",
    breed: "Rex",
    age: 5,
    weight: 2.6,
    fee: 35,
    arrived: "2026-05-02",
    vaccinated: "yes",
  },
] as const;

const PER_PAGE = 3;
const PAGES = Math.ceil(ANIMALS.length / PER_PAGE);

export const ADOPTIONS = [
  { month: "January", dogs: 14, cats: 22, rabbits: 3, fees: 4310 },
  { month: "February", dogs: 11, cats: 19, rabbits: 5, fees: 3725 },
  { month: "March", dogs: 18, cats: 27, rabbits: 4, fees: 5480 },
  { month: "April", dogs: 21, cats: 25, rabbits: 9, fees: 5995 },
  { month: "May", dogs: 16, cats: 31, rabbits: 7, fees: 5610 },
] as const;

const GIFTS = [
  { donor: "Ana Ruiz", city: "Sevilla", amount: 50, channel: "card" },
  { donor: "Piotr Zielinski", city: "Gdansk", amount: 120, channel: "transfer" },
  { donor: "Lena Hoff", city: "Kiel", amount: 35, channel: "card" },
  { donor: "Samuel Boateng", city: "Accra", amount: 75, channel: "cash" },
  { donor: "Noor Haddad", city: "Amman", amount: 200, channel: "transfer" },
  { donor: "Kenji Mori", city: "Sapporo", amount: 15, channel: "card" },
] as const;

const VOLUNTEERS = [
  { name: "Rosa Lind", task: "dog walking", hours: 12, phone: "555-0110" },
  { name: "Abel Okoro", task: "cleaning", hours: 8, phone: "555-0123" },
  { name: "Mirela Pop", task: "cat care", hours: 15, phone: "555-0137" },
  { name: "Jun Park", task: "dog walking", hours: 6, phone: "555-0144" },
  { name: "Stella Marin", task: "front desk", hours: 10, phone: "555-0158" },
] as const;

/** The address of an animal's page. */
export function animalUrl(slug: string): string {
  return `${SHELTER}/animals/${slug}`;
}

function animalsPage(page: number) {
  const cards = ANIMALS.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(
    ({ slug, name, species, age, fee }) =>
      `<article class="card"><h2>${link(`/animals/${slug}`, name)}</h2><p>Species: ${species}</p><p>Age: ${age}</p><p>Adoption fee: $${fee}</p></article>`,
  );
  const next = page < PAGES ? ` <a rel="next" href="/animals?page=${page + 1}">Next page</a>` : "";
  return html(
    `Animals, page ${page} of ${PAGES}`,
    `<h1>Animals looking for a home</h1>${cards.join("")}<p>Page ${page} of ${PAGES}${next}</p>`,
  );
}

/** An animal shelter: paged cards with pages of their own, adoptions by month, gifts as CSV. */
export const SHELTER_SITE: Site = {
  host: "shelter.example",
  pages: {
    "/": html(
      "Willow Animal Shelter",
      `<h1>Willow Animal Shelter</h1><p>Open every afternoon.</p><h2>Help us</h2><p>Donate, adopt or walk a dog.</p><p>${link("/animals", "Our animals")} · ${link("/adoptions", "Adoptions")} · ${link("/volunteers", "Volunteers")}</p><p>Contact: home@shelter.example</p>`,
    ),
    "/animals": animalsPage(1),
    ...Object.fromEntries(
      Array.from({ length: PAGES }, (_, at) => [`/animals?page=${at + 1}`, animalsPage(at + 1)]),
    ),
    ...Object.fromEntries(
      ANIMALS.map((a) => [
        `/animals/${a.slug}`,
        html(
          a.name,
          `<h1>${a.name}</h1>${definitions([
            ["Species", a.species],
            ["Breed", a.breed],
            ["Age", `${a.age} years`],
            ["Weight", `${a.weight} kg`],
            ["Adoption fee", `$${a.fee}`],
            ["Arrived", a.arrived],
            ["Vaccinated", a.vaccinated],
          ])}`,
        ),
      ]),
    ),
    "/adoptions": html(
      "Adoptions in 2026",
      `<h1>Adoptions in 2026</h1>${table(
        ["Month", "Dogs", "Cats", "Rabbits", "Fees collected"],
        ADOPTIONS.map(({ month, dogs, cats, rabbits, fees }) => [
          month,
          dogs,
          cats,
          rabbits,
          `$${fees.toLocaleString("en")}`,
        ]),
      )}`,
    ),
    "/volunteers": html(
      "Volunteers",
      `<h1>Volunteers</h1>${table(
        ["Name", "Task", "Hours per week", "Phone"],
        VOLUNTEERS.map(({ name, task, hours, phone }) => [name, task, hours, phone]),
      )}`,
    ),
    "/gifts.csv": csvPage(
      ["donor", "city", "amount", "channel"],
      GIFTS.map(({ donor, city, amount, channel }) => [donor, city, amount, channel]),
    ),
  },
};
