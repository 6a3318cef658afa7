import type { Sentence } from "../language/reading.ts";
import { type Taken, without } from "./taken.ts";
import { findWants } from "./wants.ts";

/** One thing that cleaning rows can mean. */
export const CLEANING_STEPS = [
  "whitespace",
  "emptyRows",
  "numbers",
  "dates",
  "duplicates",
] as const;
type CleaningStep = (typeof CLEANING_STEPS)[number];

/** How the letters of a column are to be written; asked for by name only. */
interface LetterCase {
  /** The words for the column; "names" is the column that names the rows. */
  column: string;
  to: "lower" | "upper" | "title";
}

/** What is to be done to rows before anything is read off them. */
export interface Cleaning {
  steps: CleaningStep[];
  letterCase: LetterCase | null;
}

const BEGIN = String.raw`(?:^|(?<=(?:url|blk)\d+_)\s+|[,:;(]\s*|\b(?:and|then|please|also|to|first|now|you|by|after|just|should|must|but|that|with|while|before|finally|next|afterwards)\s+)`;
const DEGREE = String.raw`(?:(?:all|any|of|the|these|those|this|their|its|merged|combined|resulting|raw|whole|exact|every|both|extra|surplus|leading|trailing|superfluous|unnecessary|stray|excess|messy|and|or)\s+)*`;
const WHAT =
  "(?:data ?sets?|data|tables?|rows?|lists?|values?|cells?|records?|entries|results?|it|them|everything|columns?|things|mess|supplier lists|price lists?)";
const HOW = String.raw`(?:\s+(?:up|properly|carefully|thoroughly|well))*(?:,?\s*(?:in|with|using|by|via|through|in a bit of)\s+(?:(?:some|a|your|own|a small|a little)\s+)*(?:(?:javascript|js) )?(?:code|javascript|js|script|program|run_code|sandbox|python))?`;
const REMOVE =
  "(?:remov(?:e|ing)|drop(?:ping)?|delet(?:e|ing)|eliminat(?:e|ing)|strip(?:ping)?(?: out| off| away)?|filter(?:ing)? out|get(?:ting)? rid of|throw(?:ing)? (?:out|away)|discard(?:ing)?|weed(?:ing)? out|tak(?:e|ing) out)";
const CLEAN =
  "(?:clean(?:se|sing|ing|ed)?(?:[- ]?up)?|tid(?:y|ying|ied)(?:[- ]?up)?|saniti[sz](?:e|ing)|scrub(?:bing)?|normali[sz](?:e|ing|ed)|standardi[sz](?:e|ing)|unify(?:ing)?|harmoni[sz](?:e|ing)|fix(?:ing)?(?: up)?)";
const MONEY = "(?:prices?|amounts?|costs?|numbers?|figures?|currenc(?:y|ies)|price columns?|sums?)";
const TO_NUMBERS = String.raw`(?:\s*(?:\b(?:in)?to|\bas|\bare)\s+(?:plain |real |proper |actual |clean )*(?:numbers?|numeric(?: values)?|floats?|decimals?))`;
/** The pages, between the things and what they are to become. */
const PLACES = String.raw`(?:\s+(?:on|of|at|from|in)\s+(?:the (?:page|site|table|list)s?\s+(?:at|on|of)?\s*)?(?:url|blk)\d+_(?:\s*(?:,|and|,\s*and)\s*(?:url|blk)\d+_)*)?`;
const END = String.raw`(?!\w)`;
/** How dates are to be written: "ISO dates (YYYY-MM-DD)". */
const ISO = String.raw`(?:(?:iso(?:[ -]?8601)?|yyyy-mm-dd)(?:[ -](?:format(?:ted)?|form|dates?|style))*)(?:\s*\(\s*(?:yyyy-mm-dd|iso(?:[ -]?8601)?)\s*\))?`;

/** The words for each step, the exact ones before the general one. */
const ORDERS: [CleaningStep[], RegExp][] = [
  [
    ["duplicates"],
    new RegExp(
      String.raw`(?:${BEGIN}|(?<=[(,]\s*)(?=no )|(?=with no |free of ))(?:(?<=[(,]\s*)no|${REMOVE}|without|with no|free of|skip(?:ping)?|ignor(?:e|ing))\s+${DEGREE}(?:duplicate[ds]?|dupes?|doubles?|doubled|repeated|repeats)(?:\s+(?:rows?|entries|lines?|items?|records?|products?|ones|values?|data))?(?:\s+from\s+${DEGREE}${WHAT})?${HOW}${END}|${BEGIN}de-?dup(?:e|ed|ing|licate|licated|licating|lication)?(?:\s+${DEGREE}${WHAT})?${HOW}${END}`,
      "i",
    ),
  ],
  [
    ["emptyRows"],
    new RegExp(
      String.raw`${BEGIN}(?:${REMOVE}|skip(?:ping)?|ignor(?:e|ing))\s+${DEGREE}(?:empty|blank)\s+(?:rows?|lines?|entries|records?|ones)(?:\s+from\s+${DEGREE}${WHAT})?${HOW}${END}`,
      "i",
    ),
  ],
  [
    ["whitespace"],
    new RegExp(
      String.raw`${BEGIN}(?:(?:trim(?:ming)?|${REMOVE}|collaps(?:e|ing)|squeez(?:e|ing)|fix(?:ing)?|clean(?:ing)?(?: up)?|normali[sz](?:e|ing))\s+${DEGREE}(?:white ?spaces?|spaces|spacing|blanks)(?:\s+(?:from|in|of|around)\s+${DEGREE}(?:${WHAT}|names|texts?))?|trim(?:ming|med)?\s+${DEGREE}(?:${WHAT}|names?|texts?|strings?)|(?:names?|texts?|cells|values|everything)\s+(?:are\s+|is\s+)?trimmed)${HOW}${END}`,
      "i",
    ),
  ],
  [
    ["numbers"],
    new RegExp(
      String.raw`${BEGIN}(?:(?:${CLEAN}|turn(?:ing)?|convert(?:ing)?|pars(?:e|ing)|mak(?:e|ing)|chang(?:e|ing)|transform(?:ing)?|cast(?:ing)?|format(?:ting)?)\s+${DEGREE}${MONEY}${PLACES}(?:${TO_NUMBERS}|\s+(?:plain |real |proper )?(?:numeric|numbers))|${DEGREE}${MONEY}\s+(?:(?:written|given|stored)\s+)?(?:as|being|are)\s+(?:plain |real |proper |pure )*numbers|numeric\s+${MONEY}|split(?:ting)?\s+${DEGREE}${MONEY}(?:\s+columns?)?${PLACES}\s+into\s+(?:an?\s+|the\s+)?(?:plain\s+)?(?:numbers?|amounts?|values?|figures?)(?:\s+columns?)?\s+and\s+(?:an?\s+|the\s+|its\s+)?currency(?:\s+columns?)?|${CLEAN}\s+${DEGREE}${MONEY}|${REMOVE}\s+${DEGREE}currency\s+(?:symbols?|signs?|marks?)(?:\s+from\s+${DEGREE}(?:${WHAT}|${MONEY}))?)${HOW}${END}`,
      "i",
    ),
  ],
  [
    ["dates"],
    new RegExp(
      String.raw`${BEGIN}(?:${CLEAN}|turn(?:ing)?|convert(?:ing)?|format(?:ting)?|pars(?:e|ing)|chang(?:e|ing)|writ(?:e|ing)|mak(?:e|ing)|rewrit(?:e|ing))\s+${DEGREE}dates?(?:\s+columns?)?${PLACES}(?:\s*(?:\b(?:in)?to|\bas|\bin)\s+(?:the\s+)?(?:iso(?:[ -]?8601)?|yyyy-mm-dd|one)(?:\s+(?:format|form|dates?))?)?${HOW}${END}`,
      "i",
    ),
  ],
  [
    ["dates"],
    new RegExp(
      String.raw`${BEGIN}(?:${CLEAN}|turn(?:ing)?|convert(?:ing)?|format(?:ting)?|pars(?:e|ing)|chang(?:e|ing)|writ(?:e|ing)|mak(?:e|ing)|rewrit(?:e|ing)|bring(?:ing)?|put(?:ting)?)\s+${DEGREE}[\w-]{2,30}(?:\s+[\w-]{2,30}){0,2}?${PLACES}\s+(?:(?:in)?to|as|in)\s+(?:the\s+|an?\s+)?${ISO}${HOW}${END}`,
      "i",
    ),
  ],
  [
    [...CLEANING_STEPS],
    new RegExp(
      String.raw`${BEGIN}(?:${CLEAN}\s+(?:up\s+)?${DEGREE}(?:${WHAT}|names?|texts?)(?![^,;.]{0,40}\b(?:in|to|into)\s+(?:lower|upper|title)[ -]?case)(?:\s+up)?|(?:do|perform|run)\s+(?:a|some|the)?\s*(?:data )?clean(?:ing|[- ]?up)|clean(?:ed)?(?:[- ]up)?(?=\s*(?:$|,|and\b)))${HOW}${END}`,
      "i",
    ),
  ],
  [
    [...CLEANING_STEPS],
    /(?<=\b(?:the|these|those|this|all|a) )(?:cleaned(?:[- ]up)?|normali[sz]ed|tidied(?:[- ]up)?)(?= \w)/i,
  ],
  [
    [...CLEANING_STEPS],
    /(?<=\b(?:tables?|data|rows|lists?|it|them|results?) )(?:cleaned(?:[- ]up)?|normali[sz]ed|tidied(?:[- ]up)?)(?= |,|$)/i,
  ],
  [["duplicates"], /(?<=\b(?:the|these|those|this|all|a) )de-?dup(?:ed|licated)(?= \w)/i],
];

const CHANGE =
  "(?:mak(?:e|ing)|turn(?:ing)?|put(?:ting)?|convert(?:ing)?|writ(?:e|ing)|chang(?:e|ing)|set(?:ting)?|bring(?:ing)?|normali[sz](?:e|ing))";
/** The column whose letters are meant: "names", "the site names", "the city column". */
const ofColumn = (at: number): string =>
  String.raw`${DEGREE}(?<of${at}>[\w-]{2,30}?)s?(?:\s+(?:columns?|names?|values?))?`;
const toCase = (at: number): string => `(?<to${at}>lower|upper|title)[ -]?cas(?:e|ing)`;
const LETTERS = new RegExp(
  String.raw`${BEGIN}(?:${CHANGE}\s+${ofColumn(1)}${PLACES}\s+(?:\b(?:in|to|into|as|all|in all)\s+)?${toCase(1)}|${toCase(2)}\s+(?:(?:for|in|on)\s+)?${ofColumn(2)}|${ofColumn(3)}\s+in\s+${toCase(3)}|capitali[sz](?:e|ing)\s+${ofColumn(4)})${END}|(?<=[-–:.]\s)${toCase(5)}\s+(?:for|in|on)\s+${ofColumn(5)}${END}`,
  "i",
);

function letterCase({ groups = {} }: RegExpExecArray): LetterCase {
  const named = Object.entries(groups).find(([name, text]) => /^of/.test(name) && text);
  const kinds = Object.entries(groups).find(([name, text]) => /^to/.test(name) && text);
  const kind = kinds?.[1]?.toLowerCase();
  return {
    column: named?.[1]?.toLowerCase() ?? "name",
    to: kind === "lower" || kind === "upper" ? kind : "title",
  };
}

/** What an order to clean leaves where it named pages: these are still to be read. */
function rowsOf(order: string): string {
  const places = order.match(/url\d+_|blk\d+_/g) ?? [];
  return places.length > 0 ? `, get the rows of ${places.join(" , ")} , ` : " ";
}

/** One sentence without its orders to clean. */
function takeFrom(raw: string): { raw: string; steps: CleaningStep[]; letters: LetterCase | null } {
  let rest = raw;
  const steps: CleaningStep[] = [];
  for (const [named, pattern] of ORDERS) {
    for (let match = pattern.exec(rest); match !== null; match = pattern.exec(rest)) {
      steps.push(...named);
      const said = rowsOf(match[0]);
      const joint = /^[,:;]/.test(match[0]) ? "," : "";
      const end = match.index + match[0].length;
      rest = `${rest.slice(0, match.index)}${joint}${said}${rest.slice(end)}`;
    }
  }
  const letters = LETTERS.exec(rest);
  if (letters === null) return { raw: rest, steps, letters: null };
  const left = rest.replace(letters[0], ` , ${rowsOf(letters[0])} `);
  return { raw: left, steps, letters: letterCase(letters) };
}

/** Direct wants that process_data can tell apart by itself. */
const LISTED = new Set(["emails", "links", "headings", "lists", "phones", "lines"]);

/**
 * Takes out the orders to clean data. Duplicates alone, in a list of addresses or links, are left to
 * the list: it is read without them anyway.
 */
export function takeCleaning(sentences: readonly Sentence[]): Taken<Cleaning | null> {
  const taken = sentences.map((sentence) => ({ sentence, ...takeFrom(sentence.raw) }));
  const asked = new Set(taken.flatMap(({ steps }) => steps));
  const letters = taken.findLast((one) => one.letters !== null)?.letters ?? null;
  const listed = sentences.some(({ text }) =>
    findWants(text, (phrase) => phrase).wants.some(({ kind }) => LISTED.has(kind)),
  );
  const only = asked.size === 1 && asked.has("duplicates") && letters === null;
  if ((asked.size === 0 && letters === null) || (only && listed)) {
    return { sentences: [...sentences], order: null };
  }
  // A pass over the cells that were asked for takes stray spaces with it.
  const steps = CLEANING_STEPS.filter((step) => asked.has(step) || step === "whitespace");
  const left = taken.flatMap(({ sentence, raw }) =>
    raw === sentence.raw ? [sentence] : without(sentence, raw),
  );
  return { sentences: left, order: { steps, letterCase: letters } };
}
