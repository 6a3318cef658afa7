/** Words that name the same kind of column. The first is the family's name. */
const FAMILIES: string[][] = [
  "price cost amount fee charge msrp pricing",
  "name title product item article label headline heading full_name fullname username model",
  "rating score star review_score grade rated",
  "review review_count",
  "email mail e_mail email_address mail_address contact_email contact",
  "phone telephone phone_number telephone_number tel mobile mobile_number contact_number",
  "age years_old",
  "date day created created_at published published_at posted updated time when",
  "year founded established released release_year since",
  "born birth birthday date_of_birth birthdate dob",
  "country nation",
  "city town",
  "location place region office address where venue",
  "population inhabitant people resident pop",
  "area size surface land_area",
  "category type kind genre class group",
  "department team division dept",
  "quantity qty unit units_sold piece",
  "stock in_stock inventory availability available stock_level",
  "salary wage pay income compensation earning",
  "role position job job_title occupation function",
  "author writer written_by by_author creator",
  "company organisation organization employer firm business manufacturer brand vendor",
  "employee employees_count headcount staff",
  "revenue sale turnover",
  "link url href website site page",
  "status state",
  "id identifier number no nr",
  "description summary detail text body",
  "origin country_of_origin provenance made_in",
  "temperature temp temp_c temperature_c degree celsius",
  "rain rain_mm rainfall precipitation",
  "depth deep",
  "width wide",
  "height tall elevation",
  "length long duration runtime time",
  "method step instruction direction preparation",
  "weight mass",
  "speed velocity",
  "discount reduction",
  "language lang",
  "currency money",
  "point score",
  "vote upvote",
  "download install",
].map((line) => line.split(" ").map((name) => name.replaceAll("_", " ")));

const FAMILY_OF = new Map<string, string[]>();
for (const family of FAMILIES) {
  for (const name of family) {
    FAMILY_OF.set(name, [...(FAMILY_OF.get(name) ?? []), family[0] ?? name]);
  }
}

/** The families of a name made of singular words, such as "unit price" or "qty". */
export function familiesOf(name: string): string[] {
  return FAMILY_OF.get(name) ?? [];
}

/** An adjective and the columns it speaks of, each with the direction of "most so". */
export interface Adjective {
  superlative: RegExp;
  comparative: RegExp | null;
  columns: [family: string, direction: "asc" | "desc"][];
}

const adjective = (
  superlative: string,
  comparative: string | null,
  ...columns: Adjective["columns"]
): Adjective => ({
  superlative: new RegExp(`\\b(?:${superlative})\\b`),
  comparative: comparative === null ? null : new RegExp(`\\b(?:${comparative}) than\\b`),
  columns,
});

export const ADJECTIVES: Adjective[] = [
  adjective(
    "cheapest|least expensive|most affordable|lowest[ -]priced|least costly|most inexpensive|costs? (?:the )?least",
    "cheaper|less expensive|more affordable",
    ["price", "asc"],
  ),
  adjective(
    "most expensive|least affordable|priciest|costliest|dearest|highest[ -]priced|most costly|costs? (?:the )?most|expensivest",
    "more expensive|pricier|costlier|dearer",
    ["price", "desc"],
  ),
  adjective(
    "best[ -]paid|highest[ -]paid|pays? (?:the )?(?:best|most)|(?:earns?|makes?|paid) (?:the )?most(?: money)?|best[ -]earning|top earners?|highest earners?",
    "better paid",
    ["salary", "desc"],
  ),
  adjective("worst[ -]paid|lowest[ -]paid|(?:earns?|makes?|paid) (?:the )?least(?: money)?", null, [
    "salary",
    "asc",
  ]),
  adjective(
    "best[ -]rated|top[ -]rated|highest[ -]rated|best reviewed|highest[ -]scoring|best[ -]scoring",
    "better rated|rated higher",
    ["rating", "desc"],
    ["point", "desc"],
  ),
  adjective(
    "worst[ -]rated|lowest[ -]rated|lowest[ -]scoring",
    "rated lower",
    ["rating", "asc"],
    ["point", "asc"],
  ),
  adjective("most (?:populous|populated)", "more populous", ["population", "desc"]),
  adjective("least (?:populous|populated)", "less populous", ["population", "asc"]),
  adjective(
    "oldest|eldest|earliest",
    "older|earlier",
    ["age", "desc"],
    ["born", "asc"],
    ["year", "asc"],
    ["date", "asc"],
  ),
  adjective(
    "youngest",
    "younger",
    ["age", "asc"],
    ["born", "desc"],
    ["year", "desc"],
    ["date", "desc"],
  ),
  adjective(
    "newest|latest|most recent(?:ly (?:added|published|updated|created))?|freshest",
    "newer|more recent|later",
    ["date", "desc"],
    ["year", "desc"],
    ["born", "desc"],
  ),
  adjective("tallest", "taller", ["height", "desc"]),
  adjective("heaviest", "heavier", ["weight", "desc"]),
  adjective("lightest", "lighter", ["weight", "asc"]),
  adjective("longest", "longer", ["length", "desc"]),
  adjective(
    "fastest|quickest",
    "faster|quicker",
    ["speed", "desc"],
    ["date", "asc"],
    ["length", "asc"],
  ),
  adjective("slowest", "slower", ["speed", "asc"], ["length", "desc"]),
  adjective("richest|wealthiest", "richer", ["salary", "desc"], ["revenue", "desc"]),
  adjective(
    "most popular|most downloaded",
    "more popular",
    ["download", "desc"],
    ["vote", "desc"],
    ["review", "desc"],
    ["rating", "desc"],
    ["revenue", "desc"],
  ),
  adjective(
    "best[ -]?selling|most sold|bestseller",
    null,
    ["revenue", "desc"],
    ["quantity", "desc"],
  ),
  adjective(
    "largest|biggest",
    "larger|bigger",
    ["population", "desc"],
    ["area", "desc"],
    ["employee", "desc"],
    ["revenue", "desc"],
    ["quantity", "desc"],
  ),
  adjective(
    "smallest|tiniest",
    "smaller",
    ["population", "asc"],
    ["area", "asc"],
    ["employee", "asc"],
    ["revenue", "asc"],
    ["quantity", "asc"],
  ),
  adjective("shortest", "shorter", ["height", "asc"], ["length", "asc"]),
  adjective("coldest|coolest", "colder|cooler", ["temperature", "asc"]),
  adjective("hottest|warmest", "hotter|warmer", ["temperature", "desc"]),
  adjective("wettest|rainiest", "wetter", ["rain", "desc"]),
  adjective("driest", "drier", ["rain", "asc"]),
  adjective("deepest", "deeper", ["depth", "desc"]),
  adjective("widest", "wider", ["width", "desc"]),
  adjective("highest(?! col)", null, ["height", "desc"]),
  adjective("best", "better", ["rating", "desc"], ["point", "desc"]),
  adjective("worst", "worse", ["rating", "asc"], ["point", "asc"]),
];

/** Words for "of this country or continent", by the name that tables have. */
export const DEMONYMS: Record<string, string> = Object.fromEntries(
  (
    "european:europe asian:asia african:africa american:america australian:australia french:france " +
    "german:germany spanish:spain italian:italy british:united kingdom english:england dutch:netherlands " +
    "swiss:switzerland austrian:austria belgian:belgium swedish:sweden norwegian:norway danish:denmark " +
    "finnish:finland polish:poland czech:czech republic portuguese:portugal greek:greece turkish:turkey " +
    "russian:russia ukrainian:ukraine japanese:japan chinese:china korean:south korea indian:india " +
    "canadian:canada mexican:mexico brazilian:brazil argentinian:argentina egyptian:egypt kenyan:kenya " +
    "irish:ireland scottish:scotland hungarian:hungary romanian:romania"
  )
    .split(/ (?=[a-z]+:)/)
    .map((pair) => pair.split(":")),
);

/** Words of the language of orders: never the value of a cell unless quoted or set after "is". */
export const RESERVED = new Set(
  (
    "a an the all any each every and or not no of in on at by to for from with without is are was be it " +
    "its this that these those them they you me my we us i he she as if then than so do does did has " +
    "have what which who whose where when how many much more most less least top first last only just " +
    "please get give show list find extract return tell collect fetch open go make take use sort order " +
    "group filter count sum total average mean median minimum maximum max min number table row column " +
    "page pages site link links url json csv data value values item items name names title titles price " +
    "prices email emails heading headings text one two also too other yes true false ok high low highest " +
    "lowest up down out over under above below between per new same different unique but keep there here " +
    "can could would will should need want like see look read check after before about into off such " +
    "result results answer information info details record records entry entries field fields key keys " +
    "average total sum unknown none n/a na - x"
  ).split(" "),
);
