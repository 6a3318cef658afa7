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
export type CleaningStep = (typeof CLEANING_STEPS)[number];

/** How the letters of a column are to be written; asked for by name only. */
export interface LetterCase {
  /** The words for the column; "names" is the column that names the rows. */
  column: string;
  to: "lower" | "upper" | "title";
}

/** What is to be done to rows before anything is read off them. */
export interface Cleaning {
  steps: CleaningStep[];
  letterCase: LetterCase | null;
}

const BEGIN = String.raw`(?:^|[,:;(]\s*|\b(?:and|then|please|also|to|first|now|you|by|after|just|should|must|but|with|while|before|finally|next|afterwards)\s+)`;
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

/** The words for each step, the exact ones before the general one. */
const ORDERS: [CleaningStep[], RegExp][] = [
  [
    ["duplicates"],
    new RegExp(
      String.raw`(?:${BEGIN}|(?=with no |free of ))(?:${REMOVE}|without|with no|free of|skip(?:ping)?|ignor(?:e|ing))\s+${DEGREE}(?:duplicate[ds]?|dupes?|doubles?|doubled|repeated|repeats)(?:\s+(?:rows?|entries|lines?|items?|records?|products?|ones|values?|data))?(?:\s+from\s+${DEGREE}${WHAT})?${HOW}${END}|${BEGIN}de-?dup(?:e|ed|ing|licate|licated|licating|lication)?(?:\s+${DEGREE}${WHAT})?${HOW}${END}`,
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
      String.raw`${BEGIN}(?:(?:trim(?:ming)?|${REMOVE}|collaps(?:e|ing)|squeez(?:e|ing)|fix(?:ing)?|clean(?:ing)?(?: up)?|normali[sz](?:e|ing))\s+${DEGREE}(?:white ?spaces?|spaces|spacing|blanks)(?:\s+(?:from|in|of|around)\s+${DEGREE}(?:${WHAT}|names|texts?))?|trim(?:ming)?\s+${DEGREE}(?:${WHAT}|names?|texts?|strings?))${HOW}${END}`,
      "i",
    ),
  ],
  [
    ["numbers"],
    new RegExp(
      String.raw`${BEGIN}(?:(?:${CLEAN}|turn(?:ing)?|convert(?:ing)?|pars(?:e|ing)|mak(?:e|ing)|chang(?:e|ing)|transform(?:ing)?|cast(?:ing)?|format(?:ting)?)\s+${DEGREE}${MONEY}${PLACES}(?:${TO_NUMBERS}|\s+numeric)|${CLEAN}\s+${DEGREE}${MONEY}|${REMOVE}\s+${DEGREE}currency\s+(?:symbols?|signs?|marks?)(?:\s+from\s+${DEGREE}(?:${WHAT}|${MONEY}))?)${HOW}${END}`,
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
    [...CLEANING_STEPS],
    new RegExp(
      String.raw`${BEGIN}(?:${CLEAN}\s+(?:up\s+)?${DEGREE}(?:${WHAT}|names?|texts?)(?:\s+up)?|(?:do|perform|run)\s+(?:a|some|the)?\s*(?:data )?clean(?:ing|[- ]?up)|clean(?:ed)?(?:[- ]up)?(?=\s*(?:$|,|and\b)))${HOW}${END}`,
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

const LETTERS = new RegExp(
  String.raw`${BEGIN}(?:(?:mak(?:e|ing)|turn(?:ing)?|put(?:ting)?|convert(?:ing)?|writ(?:e|ing)|chang(?:e|ing)|set(?:ting)?|bring(?:ing)?)\s+${DEGREE}([\w-]{2,30}?)s?(?:\s+columns?)?\s+(?:\b(?:in|to|into|as|all|in all)\s+)?(lower|upper|title)[ -]?case|(lower|upper|title)[ -]?cas(?:e|ing)\s+${DEGREE}([\w-]{2,30}?)s?(?:\s+columns?)?|(capitali[sz])(?:e|ing)\s+${DEGREE}([\w-]{2,30}?)s?(?:\s+columns?)?)${END}`,
  "i",
);

function letterCase(match: RegExpExecArray): LetterCase {
  const [, first, to, otherTo, second, , third] = match;
  const column = (first ?? second ?? third ?? "name").toLowerCase();
  const kind = (to ?? otherTo ?? "title").toLowerCase();
  return { column, to: kind === "lower" || kind === "upper" ? kind : "title" };
}

/** One sentence without its orders to clean. */
function takeFrom(raw: string): { raw: string; steps: CleaningStep[]; letters: LetterCase | null } {
  let rest = raw;
  const steps: CleaningStep[] = [];
  for (const [named, pattern] of ORDERS) {
    for (let match = pattern.exec(rest); match !== null; match = pattern.exec(rest)) {
      steps.push(...named);
      const places = match[0].match(/url\d+_|blk\d+_/g) ?? [];
      const said = places.length > 0 ? `, get the rows of ${places.join(" , ")} , ` : " ";
      const joint = /^[,:;]/.test(match[0]) ? "," : "";
      const end = match.index + match[0].length;
      rest = `${rest.slice(0, match.index)}${joint}${said}${rest.slice(end)}`;
    }
  }
  const letters = LETTERS.exec(rest);
  if (letters === null) return { raw: rest, steps, letters: null };
  return { raw: rest.replace(letters[0], " , "), steps, letters: letterCase(letters) };
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
