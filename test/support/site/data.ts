/** One tea that the shop sells. Prices are in euros. */
export interface Tea {
  slug: string;
  name: string;
  kind: "black" | "green" | "white" | "oolong" | "herbal";
  origin: string;
  price: number;
  grams: number;
  stock: number;
  story: string;
}

export const teas: Tea[] = [
  {
    slug: "lighthouse-breakfast",
    name: "Lighthouse Breakfast",
    kind: "black",
    origin: "Assam",
    price: 6.5,
    grams: 100,
    stock: 42,
    story: "A strong morning tea that the keepers of the old light drank before dawn.",
  },
  {
    slug: "north-quay-smoke",
    name: "North Quay Smoke",
    kind: "black",
    origin: "Fujian",
    price: 9.8,
    grams: 80,
    stock: 7,
    story: "Dried over pine wood. It smells of boats, rope and autumn.",
  },
  {
    slug: "spring-tide",
    name: "Spring Tide",
    kind: "green",
    origin: "Shizuoka",
    price: 12.4,
    grams: 75,
    stock: 18,
    story: "First leaves of the year, bright and a little salty.",
  },
  {
    slug: "paper-boat",
    name: "Paper Boat",
    kind: "white",
    origin: "Fuding",
    price: 21,
    grams: 50,
    stock: 3,
    story: "Only buds, dried in the shade. Light as its name.",
  },
  {
    slug: "copper-gull",
    name: "Copper Gull",
    kind: "oolong",
    origin: "Alishan",
    price: 15.25,
    grams: 60,
    stock: 0,
    story: "Half way between green and black, with a note of baked apple.",
  },
  {
    slug: "ropewalk-green",
    name: "Ropewalk Green",
    kind: "green",
    origin: "Zhejiang",
    price: 7.9,
    grams: 100,
    stock: 25,
    story: "Rolled by hand into small knots that open in the cup.",
  },
  {
    slug: "harbour-mint",
    name: "Harbour Mint",
    kind: "herbal",
    origin: "Port Ellery",
    price: 4.2,
    grams: 40,
    stock: 60,
    story: "Mint from the allotments behind the harbour wall.",
  },
  {
    slug: "fog-bell",
    name: "Fog Bell",
    kind: "herbal",
    origin: "Port Ellery",
    price: 5.1,
    grams: 45,
    stock: 31,
    story: "Camomile and heather for evenings when the bell rings.",
  },
  {
    slug: "captains-reserve",
    name: "Captain's Reserve",
    kind: "oolong",
    origin: "Wuyi",
    price: 1048.5,
    grams: 500,
    stock: 1,
    story: "One chest a year, roasted three times. Sold whole.",
  },
];

/** One entry of the shop's journal. */
export interface Entry {
  title: string;
  date: string;
}

export const journal: Entry[] = [
  { title: "A new kettle for the counter", date: "2026-03-02" },
  { title: "The spring leaves are here", date: "2026-04-18" },
  { title: "How to brew in hard water", date: "2026-05-06" },
  { title: "A walk to the old light", date: "2026-05-30" },
  { title: "Cups from the pottery next door", date: "2026-06-21" },
  { title: "Iced tea without sugar", date: "2026-07-11" },
  { title: "The summer market in pictures", date: "2026-08-03" },
];

export const ENTRIES_PER_PAGE = 3;

/** A price as the shop writes it: €1,048.50. */
export function euros(price: number): string {
  return `€${price.toLocaleString("en", { minimumFractionDigits: 2 })}`;
}
