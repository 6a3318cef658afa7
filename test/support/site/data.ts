/** The teas that the shop sells. Prices are in euros. */
const TEAS = [
  ["Lighthouse Breakfast", "black", "Assam", 6.5, 100, 42],
  ["North Quay Smoke", "black", "Fujian", 9.8, 80, 7],
  ["Spring Tide", "green", "Shizuoka", 12.4, 75, 18],
  ["Paper Boat", "white", "Fuding", 21, 50, 3],
  ["Copper Gull", "oolong", "Alishan", 15.25, 60, 0],
  ["Ropewalk Green", "green", "Zhejiang", 7.9, 100, 25],
  ["Harbour Mint", "herbal", "Port Ellery", 4.2, 40, 60],
  ["Fog Bell", "herbal", "Port Ellery", 5.1, 45, 31],
  ["Captain's Reserve", "oolong", "Wuyi", 1048.5, 500, 1],
] as const;

export const teas = TEAS.map(([name, kind, origin, price, grams, stock]) => ({
  name,
  kind,
  origin,
  price,
  grams,
  stock,
}));

/** A price as the shop writes it: €1,048.50. */
export function euros(price: number): string {
  return `€${price.toLocaleString("en", { minimumFractionDigits: 2 })}`;
}
