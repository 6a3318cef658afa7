import { correct } from "./spelling.ts";

type Replacement = [RegExp, string];

const CONTRACTIONS: Replacement[] = [
  [/[‘’]/g, "'"],
  [/\b(what|who|where|when|how|which|that|there|it|here)'s\b/g, "$1 is"],
  [/\b(what|who|how|where|which)s (the|is|are)\b/g, "$1 is $2"],
  [/\b(do|does|did|is|are|was|were|has|have)n'?t\b/g, "$1 not"],
  [/\b(?:can'?t|cannot)\b/g, "can not"],
  [/\bwon'?t\b/g, "will not"],
  [/\blet'?s\b/g, "let us"],
  [/\b(i|you|we|they)'(?:d|ll)\b/g, "$1 would"],
  [/\b(i|you|we|they)'ve\b/g, "$1 have"],
  [/\b(you|we|they)'re\b/g, "$1 are"],
  [/\bi'm\b/g, "i am"],
  [/'s\b/g, " "],
  [/(\w)'(?=\s|$)/g, "$1 "],
];

const VARIANTS: Replacement[] = [
  [/\be[- ]?mails?[- ]?(?:addresses|adresses|addreses|adreses|ids|contacts)\b/g, "emails"],
  [/\be[- ]?mails?[- ]?(?:address|adress|addres|id)\b/g, "email"],
  [/\b(?:electronic )?mail addresses\b/g, "emails"],
  [/\b(?:electronic )?mail address\b/g, "email"],
  [/\be-?mails\b/g, "emails"],
  [/\be-?mail\b/g, "email"],
  [/\bmails\b/g, "emails"],
  [/\bhyper-?links\b/g, "links"],
  [/\bhyper-?link\b/g, "link"],
  [/\bweb ?pages\b/g, "pages"],
  [/\bweb ?page\b/g, "page"],
  [/\bweb ?sites\b/g, "sites"],
  [/\bweb ?site\b/g, "site"],
  [/\bsub-?headings\b/g, "subheadings"],
  [/\bkey words?\b/g, "keyword"],
  [/\bhead-?lines\b/g, "headlines"],
  [/\b(?:per cent|percent)\b/g, "%"],
  [/\btop (?:goal[- ]?)?scorer\b/g, "player with the most goals"],
  [/\bin-stock\b/g, "in stock"],
  [/\bprice[- ]?(?:lists|tables)\b/g, "tables"],
  [/\bprice[- ]?table\b/g, "table"],
  [
    /\b(?:(?:do|try|doing|trying) (?:your|its) (?:very )?best|(?:best|good) of luck|good luck)\b/g,
    " ",
  ],
  [/\b(costs?|earns?|makes?|pays?) (?:the )?(most|least) money\b/g, "$1 the $2"],
  [/\bthe the\b/g, "the"],
  [/\bteh\b/g, "the"],
  [/\badn\b/g, "and"],
  [/\bform (?=url\d)/g, "from "],
  [/\b(?:pls|plz|plese|pleas)\b/g, "please"],
  [/\bu\b/g, "you"],
];

const NUMBER_WORDS = (
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen " +
  "sixteen seventeen eighteen nineteen twenty"
).split(" ");
const TENS: Record<string, number> = {
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  thousand: 1000,
  dozen: 12,
};
const SCALES: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
};

const MONEY_WORD = "(?:dollars?|euros?|pounds?|bucks|usd|eur|gbp|chf|yen)";

/** Writes numbers one way: `1,000` → `1000`, `20k` → `20000`, `20 euros` and `€20` → `$20`. */
function numbers(text: string): string {
  return text
    .replace(/(\d)[,'](?=\d{3}(?:\D|$))/g, "$1")
    .replace(
      /(?<![\w.])(\d{1,15}(?:\.\d{1,6})?) (and|to|-) (?=\d{1,15}(?:\.\d{1,6})? (thousand|million|billion)\b)/g,
      "$1 $3 $2 ",
    )
    .replace(
      /(?<![\w.])(\d{1,15}(?:\.\d{1,6})?) ?(k|m|mn|bn|thousand|million|billion)\b/g,
      (_raw, digits: string, scale: string) => String(Number(digits) * (SCALES[scale] ?? 1)),
    )
    .replace(/(?:us)?[$€£¥] ?(?=\d)/g, "$")
    .replace(/\b(?:usd|eur|gbp|chf) (?=\d)/g, "$")
    .replace(
      new RegExp(`(?<![\\w.$])(\\d{1,15}(?:\\.\\d{1,6})?) ?(?:[$€£¥]|${MONEY_WORD}\\b)`, "g"),
      "$$$1",
    );
}

function word(raw: string): string {
  const at = NUMBER_WORDS.indexOf(raw);
  // "one" stays: "this one", "one sentence" and "which one" are no counts.
  if (at === 0 || at > 1) return String(at);
  const tens = Object.hasOwn(TENS, raw) ? TENS[raw] : undefined;
  if (tens !== undefined) return String(tens);
  return correct(raw);
}

/**
 * Writes a text the one way that the rules expect: lower case, contractions spelled out, one spelling
 * for "e-mail", digits for numbers, mistyped keywords put right, words and marks apart by one space.
 */
export function normalize(text: string): string {
  let out = text.toLowerCase().normalize("NFKC");
  for (const [pattern, to] of [...CONTRACTIONS, ...VARIANTS]) out = out.replace(pattern, to);
  out = out.replace(/[a-z]{4,}(?![\w-])/g, word).replace(/\b(?:two|six|ten)\b/g, word);
  return numbers(out)
    .replace(/(?<=[\w)]) \* (?=[\w(])|(?<=\w)\*(?=\w)/g, " times ")
    .replace(/[“”"`*()[\]{}<>«»]+(?!=)/g, (marks) => marks.replace(/[^<>]/g, " "))
    .replace(/\s*([,;])\s*/g, " $1 ")
    .replace(/[ \t]+/g, " ")
    .trim();
}

/** Splits a text into sentences: at full stops, question marks, semicolons and line breaks. */
export function sentences(text: string): string[] {
  return text
    .replace(/(^|\n|[.:;]\s)\s*(?:(?:step )?\d{1,2}[.):](?=\s)|[-*•](?=\s))/gi, "$1\n")
    .split(/[.!?;](?=\s|$)|\n/)
    .map((sentence) => sentence.trim().replace(/^(?:[,:]|and\b|then\b)\s*/i, ""))
    .filter((sentence) => /[\w$]/.test(sentence));
}

/** A word without the ending of its plural. */
export function singular(raw: string): string {
  if (raw === "ids") return "id";
  if (raw.length < 4 || /(?:ss|us|is)$/.test(raw)) return raw;
  if (raw.endsWith("ies") && raw.length > 4) return `${raw.slice(0, -3)}y`;
  if (/(?:ches|shes|xes|sses|zes)$/.test(raw)) return raw.slice(0, -2);
  return raw.endsWith("s") ? raw.slice(0, -1) : raw;
}

/** The words of a name: `unitPrice`, `unit_price` and `Unit price (USD)` all begin with unit, price. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .normalize("NFKC")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "")
    .map(singular);
}
