/** What the prompt says is to be asked of the user before anything is done. */
export interface Asking {
  /** `consent`: only a yes lets the rest happen. `answer`: the rest works with what is answered. */
  kind: "consent" | "answer";
  question: string;
  /** What is asked for, in words, where an answer is. */
  about: string;
  /** The prompt without the words that it is to be asked. */
  rest: string;
}

const QUOTED = /"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|`[^`]*`|(?<!\w)['‘][^'’\n]*['’](?!\w)/g;
/** What is written to somebody else asks nothing of the user. */
const OWN_TEXT =
  /(?:\S@\S+?\s*:|\b(?:saying|that says|which says|reading)\b|\b(?:text|body|message)\s*:)[^\n]*/gi;
const YES = "(?:confirmation|approval|permission|consent|agreement|ok(?:ay)?|go[- ]ahead)";
const WHOM = "(?:me|us|the user)";
const CONSENT = new RegExp(
  String.raw`(?:\b(?:before\s+(?:you\s+)?(?:do(?:ing)?|start(?:ing)?|begin(?:ning)?)(?:\s+(?:anything(?:\s+else)?|it|that|so|this|with\s+(?:it|that)))?|first(?:\s+of\s+all)?)\s*,?\s*)?(?:,?\s*\b(?:but|and|then|please|first)\s+){0,3}\b(?:ask\s+(?:for\s+my\s+${YES}|${WHOM}\s+(?:for\s+(?:my\s+|an?\s+|the\s+|your\s+)?${YES}|(?:whether|if)\s+(?:to\s+[^.;,!?\n]+|(?:it|this|that)\s+is\s+(?:ok|okay|fine|alright|right to)\b[^.;,!?\n]*|(?:i|you|we)\s+(?:may|should|can|could|want|agree|approve|am|are)\b[^.;,!?\n]*)|first\b|(?=before\b)))|(?:get|obtain|wait\s+for|request|await|seek|ask\s+for|with|only\s+with|upon)\s+my\s+(?:explicit\s+)?${YES}|(?:(?:do not|don['’]?t)\s+(?:do|send|change|start|run|delete|post)\s+(?:anything|it|this|that)\s+)?(?:until|unless|(?:only\s+)?(?:after|once|when|if))\s+i\s+(?:have\s+)?(?:confirm|approve|agree|say\s+(?:yes|so|ok)|allow)(?:ed|d)?(?:\s+(?:it|this|that))?|(?:confirm|check)\s+(?:(?:it|this|that)\s+)?with\s+${WHOM})(?:\s+first\b)?(?:\s*,?\s*\b(?:before|prior\s+to)\s+(?:you\s+)?(?:(?:do(?:ing)?|start(?:ing)?|proceed(?:ing)?|continu(?:e|ing))(?:\s+(?:anything(?:\s+else)?|it|that|so|this))?(?=\s*(?:[.,;!]|$)))?)?`,
  "i",
);
const VERBS =
  "open|list|give|tell|say|repeat|reply|return|echo|send|post|put|patch|delete|e-?mail|mail|multiply|compute|calculate|greet|use|write|save|summari[sz]e|read|get|show|find|answer|respond|add|fetch|visit|extract|count|print|output|finish|double|square";
const ANSWER = new RegExp(
  String.raw`(?<=^|[.;,!?\n]\s*|\b(?:and|then|but|please|first|you)\s+)(?:please\s+|first\s+|then\s+)*ask\s+(?:${WHOM}\b\s*,?\s*(?:first\s+)?|(?=for\s+my\b))((?:for|about|what|which|whether|if|how|when|where|who|to\b|a\s+question|\0)[^.;!?\n]*?|)(?=\s*(?:[.;!?\n]|$)|\s*,?\s*\b(?:and\s+)?then\b|\s*(?:,|\band\b|,\s*and\b)\s*(?:${VERBS})\b)`,
  "i",
);
/** "If you need anything, ask me", "do not ask me": nothing is to be asked. */
const CONDITIONAL =
  /(?:^|[.;!?\n]\s*)[^.;!?\n]*\b(?:if|when|in case|unless)\b[^.;!?\n]*$|(?:\bnot|n['’]t|\bnever|\bwithout|\bno need to)\s+(?:\w+\s+)?$/i;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Words of the user about himself, said to him. */
function turned(text: string): string {
  return text
    .replace(/\bmy\b/gi, "your")
    .replace(/\bI am\b|\bI'm\b/g, "you are")
    .replace(/\bI\b/g, "you")
    .replace(/\bme\b/gi, "you")
    .trim();
}

function questionFor(about: string): string {
  const said = turned(about)
    .replace(/\s+first$/i, "")
    .replace(/^((?:what|which|how)\b(?:\s+\w+)?) (?=you (?!are\b|said\b))/i, "$1 do ");
  const inverted = /^(what|who|where|when|how)\s+(.+)\s+(is|are)$/i.exec(said);
  if (inverted !== null) return capital(`${inverted[1]} ${inverted[3]} ${inverted[2]}?`);
  const to = /^((?:what|which|who|where|when|how)\b.*?)\s+to\s+(\w+.*)$/i.exec(said);
  if (to !== null) return capital(`${to[1]} should I ${to[2]}?`);
  if (/^(?:what|which|who|where|when|how)\b/i.test(said)) return capital(`${said}?`);
  const wanted = /^(?:for|about)\s+(.+)$/i.exec(said)?.[1];
  if (wanted !== undefined && /^(?:an?|some|any|one)\s/i.test(wanted)) {
    return `Which ${wanted.replace(/^\w+\s+/, "")}?`;
  }
  if (wanted !== undefined) return `What is ${wanted}?`;
  return said === "" || /^a question$/i.test(said)
    ? "What should I know?"
    : capital(`please tell me ${said}.`);
}

const BASE: Record<string, string> = {
  putting: "put",
  deleting: "delete",
  writing: "write",
  saving: "save",
  making: "make",
};

const baseOf = (word: string): string => BASE[word.toLowerCase()] ?? word.slice(0, -3);

/** The prompt without some of its words; what stood behind "before" is an order of its own. */
function without(prompt: string, at: number, length: number): string {
  const before = prompt
    .slice(0, at)
    .replace(/[\s,;]+$/, "")
    // "Before sending it, ask me": it is sent after all.
    .replace(
      /(^|[.!?\n]\s*)before\s+(?:(?:you\s+)|(?=((?:e-?)?[a-z]+ing)\b))(?:\2)?(?=(?:[^.!?\n]|[.!?](?=\S))*$)/i,
      (_raw, start: string, doing: string | undefined) => start + baseOf(doing ?? ""),
    );
  const after = prompt
    .slice(at + length)
    .replace(/^[\s,;.:!?]*(?:(?:and|then|before|you)\b[\s,]*)*/i, "")
    .replace(/^(?:e-?)?[a-z]+ing\b/i, baseOf);
  const joined =
    before === "" || /[.!?:]$/.test(before) ? `${before} ${after}` : `${before}. ${after}`;
  return joined.replace(/^[\s.,]+|^(?:can|could|would|will) you(?: please)?[.\s]*/gi, "").trim();
}

/** What the prompt orders to be asked; null where it orders no question. */
export function askingOf(prompt: string): Asking | null {
  const blank = (text: string): string => "\u0000".repeat(text.length);
  const masked = prompt.replace(QUOTED, blank).replace(OWN_TEXT, blank);
  const consent = CONSENT.exec(masked);
  if (consent !== null && !CONDITIONAL.test(masked.slice(0, consent.index))) {
    const rest = without(prompt, consent.index, consent[0].length);
    const what = rest === "" ? "" : ` with: ${rest.slice(0, 400).replace(/[.\s]+$/, "")}`;
    return { kind: "consent", question: `Shall I go on${what}? (yes or no)`, about: "", rest };
  }
  const answer = ANSWER.exec(masked);
  if (answer === null || CONDITIONAL.test(masked.slice(0, answer.index))) return null;
  const end = answer.index + answer[0].length;
  // "Which page should be opened? Ask me."
  const before =
    (answer[1] ?? "") === "" ? /[^.!?\n]+\?\s*$/.exec(masked.slice(0, answer.index)) : null;
  if (before !== null) {
    const question = prompt.slice(before.index, answer.index).trim();
    const rest = without(prompt, before.index, end - before.index);
    return { kind: "answer", question, about: question, rest };
  }
  const quoted = /^\s*:?\s*(\0+)/.exec(masked.slice(end))?.[0] ?? "";
  const inner = prompt.slice(end, end + quoted.length).replace(/^[\s:]*["“«`'‘]|["”»`'’]\s*$/g, "");
  const about = (answer[1] ?? "").includes("\u0000")
    ? prompt.slice(end - (answer[1] ?? "").length, end).replace(/["“”«»`]/g, "")
    : (answer[1] ?? "");
  const question = inner !== "" ? inner : about.endsWith("?") ? about : questionFor(about);
  const rest = without(prompt, answer.index, answer[0].length + quoted.length);
  return { kind: "answer", question, about, rest };
}

/** Whether an answer allows what was asked about. */
export function agrees(answer: string): boolean {
  return (
    /^\s*(?:yes|y|yep|yeah|yup|sure|ok|okay|go|continue|proceed|do (?:it|so|that)|please(?: do)?|approved?|confirmed?|i (?:agree|confirm|approve)|agreed|fine|of course|absolutely|certainly|allowed?|true)\b/i.test(
      answer,
    ) &&
    !/\b(?:no|not|don['’]?t|never|stop|wait|cancel|but|except|only|instead|hold)\b/i.test(answer)
  );
}

const BACK =
  "(?:it|that|this|the answer|my answer|what i (?:said|say|told you|answered|tell you)|the reply|them)";
const REPEATS = new RegExp(
  String.raw`^(?:please\s+)?(?:(?:repeat|echo|say|return|print|output|show|give|tell|write|state|read)(?:\s+(?:me|us))?(?:\s+back)?\s+${BACK}|(?:reply|answer|respond|finish)\s+with\s+${BACK})(?:\s+(?:back|again|to me|back to me|as (?:the|your) answer))*[\s.!?]*$`,
  "i",
);

/** The name under which the answer is referred to in what is left of the prompt. */
export const ANSWER_INPUT = "users_answer";

/**
 * What is left of the prompt, with a reference in the place of the answer; null where it says nowhere
 * where the answer belongs: then it stands as a message of its own.
 */
export function withAnswer({ about, rest }: Asking): string | null {
  const reference = `{{${ANSWER_INPUT}}}`;
  if (rest === "" || REPEATS.test(rest)) return `Reply with: ${reference}`;
  const own = /\b(text|body|message|subject)\b/i.exec(about)?.[1];
  if (
    own !== undefined &&
    /\S@\S/.test(rest) &&
    !new RegExp(String.raw`\b${own}\b`, "i").test(rest)
  ) {
    return `${rest.replace(/[.\s]+$/, "")} with the ${own} ${reference}`;
  }
  if (/\bname\b/i.test(about) && /\b(?:say|greet)\b/i.test(rest) && /\bto me\b/i.test(rest)) {
    return rest.replace(/\bto me\b/i, `to ${reference}`);
  }
  const back = /(?<=^(?:please\s+)?(?:\w+)\s+)(?:it|that|this|the answer|my answer)\b/i;
  return back.test(rest) ? rest.replace(back, reference) : null;
}
