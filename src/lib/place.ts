/** Regions of the world near which objects can be created, by Cloudflare's names. */
export const REGIONS = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"] as const;
export type Region = (typeof REGIONS)[number];

/** Jurisdictions that objects and their data never leave, by Cloudflare's names. */
export const JURISDICTIONS = ["eu", "us", "fedramp"] as const;
export type Jurisdiction = (typeof JURISDICTIONS)[number];

/** Where the objects of an account are: near a region, or within a jurisdiction. */
export type Place = { kind: "region"; name: Region } | { kind: "jurisdiction"; name: Jurisdiction };

/** The places by their codes. Append-only: ids carry the codes. */
const BY_CODE: ReadonlyMap<string, Place> = new Map([
  ...REGIONS.map((name, at): [string, Place] => [codeAt(at), { kind: "region", name }]),
  ...JURISDICTIONS.map((name, at): [string, Place] => [
    codeAt(128 + at),
    { kind: "jurisdiction", name },
  ]),
]);

/** The ids of accounts and endpoints; those without a code are placed by whoever uses them first. */
const PLACED = /^(?:acc_([0-9a-f]{2})[0-9A-Za-z]{12}|ep_([0-9a-f]{2})[0-9a-f]{40})$/;

/** Returns the place that the id of an account or an endpoint names, or null. */
export function placeOf(id: string): Place | null {
  const [, account, endpoint] = PLACED.exec(id) ?? [];
  return BY_CODE.get(account ?? endpoint ?? "") ?? null;
}

/** Returns the two hex digits by which ids name a place, or nothing for none. */
export function codeOf(place: Place | null): string {
  const isIt = ([, { kind, name }]: [string, Place]) => kind === place?.kind && name === place.name;
  return [...BY_CODE].find(isIt)?.[0] ?? "";
}

const BY_CONTINENT: Readonly<Record<string, Region>> = {
  AF: "afr",
  AS: "apac",
  EU: "weur",
  OC: "oc",
  SA: "sam",
};
/** The degree of longitude that halves North America. */
const MIDDLE_OF_AMERICA = -100;

/** Returns the region of a request's origin, as Cloudflare describes it, or null if it is unknown. */
export function regionOf(cf: object | undefined): Region | null {
  const { continent, longitude } = { continent: undefined, longitude: undefined, ...cf };
  if (continent === "NA") return Number(longitude) < MIDDLE_OF_AMERICA ? "wnam" : "enam";
  return typeof continent === "string" ? (BY_CONTINENT[continent] ?? null) : null;
}

function codeAt(number: number): string {
  return number.toString(16).padStart(2, "0");
}
