import type { Form } from "./types.ts";

const AS =
  "(?:as|in|into|to|using|with)(?: (?:a|an|one|the))?(?: (?:nice|neat|simple|small|clean|valid|pure|plain|proper|single|short))?";
const GIVE =
  "(?:return|output|give me|reply with|respond with|answer with|produce|make it|make that|want|need|export|save|create|generate|prefer|format)(?: (?:me|it|them|that|this|everything|the (?:results?|answer|output|data)))?(?: (?:as|in|into|to))?(?: (?:a|an))?";

const FILE_END =
  "(?:[ -]?(?:files?|formats?|documents?|sheets?|spreadsheets?|workbooks?|output|tables?|text|exports?))?";

/** The words that ask for a file of one kind. A file of that kind at an address is a source. */
function fileForm(names: string): RegExp {
  return new RegExp(
    `(?<![\\w.])(?:and )?(?:${AS}|${GIVE}|actually|[-=]>|→)(?: (?:valid|downloadable|new|microsoft|ms|separate|formatted))* (?:${names})${FILE_END}(?! (?:at|from|on|of|in) )(?!\\w)(?: (?:please|instead|file))?|(?<![\\w.])(?:${names}) (?:files?|format|output) (?:please|instead)|\\b(?:make|create|give|get|send|have|want|need|produce|generate|export|build|prepare|write|compile)(?: me| us)? (?:an?|one)(?: new| single)? (?:${names})${FILE_END}(?!\\w)|^(?:and )?(?:as )?(?:an? )?(?:${names})${FILE_END}(?: please| instead)?$`,
  );
}

/** Each form by the words that ask for it. The source's own format ("the JSON at …") is none of them. */
const FORMS: [Form, RegExp][] = [
  ["xlsx", fileForm(String.raw`excel|\.?xlsx?|spread ?sheets?|workbooks?`)],
  ["csv", fileForm("csv|tsv")],
  [
    "csv",
    /\bcomma[- ]separated values\b|\b(?:save|download|export) (?:it|them|this|that|the results?|everything)? ?(?:as|to|in|into) (?:a )?files?\b/,
  ],
  [
    "json",
    new RegExp(
      `\\b(?:and )?(?:${AS}|${GIVE}|actually) json(?:[ -]?(?:format|object|array|list|output|document|data|form))?\\b(?! (?:at|from|on|of|in|url\\d+_|file|api|feed|document) ?)(?: (?:please|instead|only))?|\\bjson (?:format|output|please|instead|array|object|only)\\b|^(?:and )?json$|\\bmachine[- ]readable\\b`,
    ),
  ],
  [
    "table",
    new RegExp(
      `\\b(?:and )?(?:(?:return|present|show|display|put|format|give|list|output|arrange|organi[sz]e|lay)(?: (?:me|it|them|that|this|everything|all|the (?:results?|answer|output|data)))?(?: out)? )?(?:${AS})(?: (?:markdown|comparison))? table(?:[ -]?(?:format|form))?\\b(?! (?:at|from|on|of|in|called|named|titled|with the caption) )|\\btabular(?: form| format)?\\b|\\b(?:make|build|create|produce|draw)(?: me)?(?: a)? (?:comparison |markdown )?table\\b|\\btable (?:please|instead|format)\\b`,
    ),
  ],
  [
    "list",
    new RegExp(
      `\\b(?:${AS}) (?:bullet(?:ed|[- ]point)?s?|numbered|comma[- ]separated|plain|simple)?[ -]?(?:lists?|(?:bullet|key) points|bullets)\\b(?! (?:at|from|on|of) )|\\bin bullet points\\b|\\bbullet list\\b|\\bcomma[- ]separated\\b`,
    ),
  ],
  [
    "yesno",
    /\b(?:(?:answer|reply|respond|say)(?: me)? )?(?:only |just |simply )?(?:with |by |in )?(?:a )?(?:simple |plain |clear )?(?:yes(?: or |\/)no|true(?: or |\/)false)(?: (?:please|only|answer))?\b ?:?/,
  ],
  [
    "number",
    /\b(?:just|only)(?: give me| return| tell me)? (?:the|a) (?:number|figure|value|count|total|result|amount|sum|average)\b|\b(?:number|figure) only\b|\bnothing but the (?:number|figure)\b|\bas a (?:single |plain |bare )?number\b/,
  ],
  [
    "sentence",
    new RegExp(
      `\\b(?:${AS}) (?:one |single |1 |short |full |complete )*sentences?\\b|\\b(?:one|1|a single) sentence\\b|\\b(?:as|in) (?:plain )?(?:text|words|prose|english)\\b|\\bin plain english\\b|\\bbriefly\\b`,
    ),
  ],
];

const UNFIT =
  /\b(?:as|in|into|to)(?: an?| valid| the)* (xml|yaml|yml|toml|latex|html|ods)(?:[ -](?:files?|format|document|tables?|sheets?|spreadsheets?|workbook))?\b(?! (?:at|from|on|url))/;

/** What to say where a form is asked for that cannot be made, or null; and the text without its words. */
export function takeUnfit(text: string): { note: string | null; rest: string } {
  const name = UNFIT.exec(text)?.[1];
  if (name === undefined) return { note: null, rest: text };
  const note = `The answer cannot be written as ${name.toUpperCase()}; it comes as data and text instead.`;
  return { note, rest: text.replace(UNFIT, " ").replace(/ {2,}/g, " ").trim() };
}

/** The form that a text asks for, or null, and the text without the words that asked. */
export function takeForm(text: string): { form: Form | null; rest: string } {
  for (const [form, pattern] of FORMS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const kept = /\b(?:just|only)\b/.test(match[0]) && form === "number" ? match[0] : " ";
    return { form, rest: text.replace(pattern, kept).replace(/ {2,}/g, " ").trim() };
  }
  return { form: null, rest: text };
}
