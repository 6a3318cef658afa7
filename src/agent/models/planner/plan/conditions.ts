import { readSentence, type Sentence } from "../language/reading.ts";
import { without } from "./taken.ts";

/** How the answer to a condition's question decides it. */
export type Test =
  | { kind: "exists" }
  | { kind: "none" }
  | { kind: "compare"; than: ">" | ">=" | "<" | "<=" | "="; number: number };

/** Under what condition something is to be done to the outside. */
export type Condition =
  /** "If so": the answer to what is asked before. */
  | { kind: "answer"; negated: boolean }
  | { kind: "question"; sentence: Sentence; test: Test; negated: boolean }
  /** No rule can decide it. */
  | { kind: "unreadable"; said: string };

const WORD = String.raw`(?:only\s+)?(?:if|in case|provided(?:\s+that)?|as long as|unless|should|when(?:ever)?(?=\s+(?:there\s+(?:is|are)|any|no)\b))`;
/** What looks like a condition and is courtesy or a time. */
const NO_CONDITION = String.raw`(?!\s*(?:you\s+(?:can|could|like|want|may|find\s+the\s+time|need)|possible|needed|necessary|not\s+too|it\s+is\s+(?:not|no)\s+(?:trouble|problem)|done|ready)\b)`;
const ORDERS = String.raw`(?:please\s+)?(?:e-?mail|mail|send|forward|write|notify|inform|tell|let|drop|post|put|submit|push|shoot|alert|warn)\b`;
const LEADING = new RegExp(
  String.raw`^(?:(?:please|and|then|but|also)\s+)*(${WORD})\b${NO_CONDITION}\s*(.+?)\s*(?:,\s*(?:then\s+)?|\bthen\s+)(?=${ORDERS}|(?:do\s+not|don['’]?t|never)\b)`,
  "i",
);
const TRAILING = new RegExp(
  String.raw`(?:\s*,)?\s*(?:\b(?:but|and)\s+)?(?:\bonly\s+)?\b(${WORD})\b${NO_CONDITION}\s*([^;]+)$`,
  "i",
);
const SO =
  /^(?:so|yes|that is (?:so|true|the case)|(?:it|this|that|they) (?:is|are|does|do)|true)$/i;
const NOT_SO = /^(?:not|no|(?:it|this|that|they) (?:is not|isn['’]t|are not|aren['’]t)|false)$/i;
const OTHERWISE = /^(?:otherwise|else|if not)\b[\s,]*(.*)$/i;
const NOTHING =
  /\b(?:nothing|no (?:e-?)?mail|no message|ignore|skip|stop|finish|just (?:tell|say|show|report)|not|n['’]t)\b/i;

const NUMBER = String.raw`(\d[\d,]*(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten)`;
const THAN =
  "(more than|over|above|at least|less than|fewer than|under|below|at most|no more than|no fewer than|exactly|greater than)";
const SIGNS: Record<string, ">" | ">=" | "<" | "<=" | "="> = {
  "more than": ">",
  over: ">",
  above: ">",
  "greater than": ">",
  "at least": ">=",
  "no fewer than": ">=",
  "less than": "<",
  "fewer than": "<",
  under: "<",
  below: "<",
  "at most": "<=",
  "no more than": "<=",
  exactly: "=",
};
const WORDS = "zero one two three four five six seven eight nine ten".split(" ");
const THERE = String.raw`(?:there\s+(?:is|are|was|were)|(?:you|we)\s+(?:find|have|see)|(?:url\d+_|it|the page|the list|the table)\s+(?:has|have|lists?|shows?|contains?))`;
const COUNTED = new RegExp(String.raw`^${THERE}\s+${THAN}\s+${NUMBER}\s+(.+)$`, "i");
const NUMBER_OF = new RegExp(
  String.raw`^(?:the\s+)?(?:number|count)\s+of\s+(.+?)\s+(?:is|exceeds|are)\s+(?:${THAN}\s+)?\$?${NUMBER}\s*$`,
  "i",
);
const FIGURE = new RegExp(
  String.raw`^((?:the\s+)?(?:sum|total|average|mean|median|highest|lowest|maximum|minimum|max|min)\b.+?)\s+(?:is|are|exceeds)\s+(?:${THAN}\s+)?[$€£]?${NUMBER}(?:\s*(?:%|[$€£]|euros?|dollars?|pounds?|eur|usd|gbp))?\s*$`,
  "i",
);
const NO_SUCH = new RegExp(
  String.raw`^(?:${THERE}\s+(?:no|not any|none of)\s+(.+)|no\s+(.+))$`,
  "i",
);
const SUCH = new RegExp(String.raw`^${THERE}\s+(?:any|an?|some|at least one)?\s*(.+)$`, "i");
const ANY = /^(?:any|some|at least one|one or more)(?:\s+of\s+the)?\s+(.+)$/i;
/** Which rows come first or last, and two things at once, decide nothing by there being rows. */
const UNDECIDED =
  /\b(?:or|either|neither|both|all|each|every|most|first|second|third|last|top|bottom|cheapest|dearest|highest|lowest|largest|smallest|biggest|best|worst|latest|newest|oldest|changed?|since|yesterday|today|tomorrow|and)\b|\b\w+er than (?!\$?\d)/i;

function numberOf(text: string): number {
  const at = WORDS.indexOf(text.toLowerCase());
  return at >= 0 ? at : Number(text.replaceAll(",", ""));
}

function compared(than: string | undefined, number: string | undefined): Test {
  const sign = SIGNS[(than ?? "exactly").toLowerCase().replace(/\s+/g, " ")] ?? "=";
  return { kind: "compare", than: sign, number: numberOf(number ?? "") };
}

/** The question that decides a condition. */
function questionOf(text: string): { question: string; test: Test } | null {
  const counted = COUNTED.exec(text);
  if (counted !== null) {
    return { question: `how many ${counted[3]}`, test: compared(counted[1], counted[2]) };
  }
  const number = NUMBER_OF.exec(text);
  if (number !== null) {
    const than = /\bexceeds\b/i.test(text) ? "over" : number[2];
    return { question: `how many ${number[1]}`, test: compared(than, number[3]) };
  }
  const figure = FIGURE.exec(text);
  if (figure !== null) {
    const than = /\bexceeds\b/i.test(text) ? "over" : figure[2];
    return { question: `what is ${figure[1]}`, test: compared(than, figure[3]) };
  }
  if (UNDECIDED.test(text)) return null;
  const none = NO_SUCH.exec(text);
  if (none !== null) return { question: `list ${none[1] ?? none[2]}`, test: { kind: "none" } };
  const such = SUCH.exec(text) ?? ANY.exec(text);
  if (such !== null) return { question: `list ${such[1]}`, test: { kind: "exists" } };
  return { question: `if ${text}`, test: { kind: "exists" } };
}

function conditionOf(word: string, text: string, sentence: Sentence): Condition {
  const negated = /unless/i.test(word);
  const said = text.trim();
  if (SO.test(said)) return { kind: "answer", negated };
  if (NOT_SO.test(said)) return { kind: "answer", negated: !negated };
  const asked = questionOf(said.replace(/^(?:the case that|that)\s+/i, ""));
  if (asked === null) return { kind: "unreadable", said };
  const { question, test } = asked;
  return { kind: "question", sentence: readSentence(question, sentence.message), test, negated };
}

/** The client's sentences without the conditions of what is to be sent. */
export interface Conditions {
  sentences: Sentence[];
  condition: Condition | null;
  /** The sentences whose orders hang on it. */
  under: Set<Sentence>;
}

/** A text of the client's own may say "if" without asking it of us. */
const OWN_TEXT =
  /\S@\S+[^:;]*?:\s|\b(?:saying|stating|that says|that reads)\b|\b(?:body|text|message)\b[^,;]{0,20}?:/i;

/** Takes the condition out under which something is to be sent. `sends` tells sentences that order it. */
export function takeConditions(
  sentences: readonly Sentence[],
  sends: (sentence: Sentence) => boolean,
): Conditions {
  const left: Sentence[] = [];
  const under = new Set<Sentence>();
  let condition: Condition | null = null;
  for (const sentence of sentences) {
    const other = condition === null ? null : OTHERWISE.exec(sentence.raw);
    if (other !== null) {
      if (NOTHING.test(other[1] ?? "")) continue;
      condition = { kind: "unreadable", said: sentence.raw };
      const rest = without(sentence, other[1] ?? "");
      for (const one of rest) under.add(one);
      left.push(...rest);
      continue;
    }
    const leading = LEADING.exec(sentence.raw);
    const match = leading ?? TRAILING.exec(sentence.raw);
    const text = OWN_TEXT.exec(sentence.raw);
    const quoted = match !== null && text !== null && text.index < match.index;
    const kept = match === null ? [] : without(sentence, sentence.raw.replace(match[0], " "));
    if (match === null || quoted || !kept.some(sends)) {
      left.push(sentence);
      continue;
    }
    const found = conditionOf(match[1] ?? "", match[2] ?? "", sentence);
    // Two conditions of one errand are more than these rules decide.
    condition = condition === null ? found : { kind: "unreadable", said: sentence.raw };
    for (const one of kept) under.add(one);
    left.push(...kept);
  }
  return { sentences: left, condition, under };
}
