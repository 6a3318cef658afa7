import type { Want } from "./types.ts";

/** A phrase that someone searches for: a quoted string, or a few words up to the end of the clause. */
const PHRASE = String.raw`(str\d+_|[^\s,;:?!](?:[^,;:?!]{0,58}?[^\s,;:?!])?)`;
const PHRASE_END = String.raw`(?= ?(?:,|;|:|\?|!|$)| (?:on|in|at|from|within|inside|anywhere|somewhere|there|and|or not|url\d+_|appears?|occurs?|is|are|was|used|found|shows?|comes?|mentioned|please)\b)`;
const NOUN =
  "(?:(?:the |a |an |any )?(?:exact )?(?:words?|terms?|phrases?|texts?|strings?|keywords?|name|expression|topic)(?: of)? )?";
/** Things that a page can hold of its own kind; "contains a link" asks for those, not for the word. */
const THINGS =
  "(?!(?:an? |any |some |the )?(?:emails?|links?|tables?|headings?|prices?|phone|images?|lists?|urls?)\\b)";
const CALLED = "(?:(?:an? |any |the )?[a-z]{2,20} (?:named|called|titled|labell?ed) )?";
const X = `${THINGS}${CALLED}${NOUN}(?:the )?${PHRASE}${PHRASE_END}`;
const SPEAKS =
  "(?:mentions?|mentioning|contains?|containing|includes?|including|says?|saying|talks? about|talking about|refers? to|references?|has|have|discusse?s?|covers?)";
/** As SPEAKS; but "has" tells of a word only where a word is named. */
const NAMES = `(?:${SPEAKS.replace("|has|have", "")}|(?:has|have)(?= (?:the (?:word|term|phrase|text|string)|str\\d)))`;
const PAGE = String.raw`(?:(?:it|them|they|these|those|(?:the |this |that |these |those |any of (?:the |these )?)?(?:pages?|sites?|articles?|documents?|texts?|files?|posts?|urls?|content)|url\d+_)(?: (?:,|and|or) ?url\d+_){0,20})`;

type Maker = (match: RegExpExecArray, read: (phrase: string) => string) => Want;
interface WantRule {
  pattern: RegExp;
  make: Maker;
  /** Whether what it matched must not be read as anything else. */
  consumes?: boolean;
}

const phraseRule = (kind: "mention" | "occurrences", source: string): WantRule => ({
  pattern: new RegExp(source),
  make: (match, read) => ({ kind, phrase: read(match[1] ?? match[2] ?? "") }),
  consumes: true,
});
const linesRule = (source: string): WantRule => ({
  pattern: new RegExp(source),
  make: (match, read) => ({ kind: "lines", containing: read(match[1] ?? "") }),
  consumes: true,
});

const ORDINALS: Record<string, number> = {
  first: 1,
  opening: 1,
  intro: 1,
  introductory: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
};

function paragraphs(match: RegExpExecArray): Want {
  const which = match[1] ?? "first";
  const count = Number(match[2] ?? 1);
  if (which === "last" || which === "final") {
    return { kind: "paragraphs", from: "end", skip: 0, count };
  }
  const skip = (ORDINALS[which] ?? Number.parseInt(which, 10)) - 1;
  return { kind: "paragraphs", from: "start", skip: Math.max(0, skip), count };
}

/** In order: a rule that consumes what it matched hides it from the rules after it. */
const RULES: WantRule[] = [
  linesRule(String.raw`\bwhat does ${PAGE} say about ${X}`),
  phraseRule(
    "occurrences",
    `\\b(?:how (?:many times|often|frequently)|number of times|count (?:how many times|the times)|times(?= (?:that|is|are|was|does|do|did|has)\\b))(?: that)?(?: do| does| did| is| are| was| has| can)?(?: you (?:see|find))? ${X}`,
  ),
  phraseRule(
    "occurrences",
    `\\b(?:(?:count|number of|how many|total)(?: of)?(?: all)?(?: the)? )(?:occurrences?|mentions|instances|appearances|uses) of ${X}|\\b(?:occurrences?|appearances|frequency) of ${X}`,
  ),
  phraseRule(
    "mention",
    `\\b(?:(?:does|do|did|if|whether|check(?: that)?|see(?: if)?|verify(?: that)?|confirm(?: that)?)|which(?: one)?s?(?: of)?|what|tell me which(?: of)?) ${PAGE}(?: (?:actually|really|anywhere|ever|even))? ${NAMES} ${X}`,
  ),
  phraseRule(
    "mention",
    `(?:^|[,;] |tell me |find out |know |see |say )which(?: (?:one|of (?:these|those|them|the two|these 2|the 2|these two)(?: \\w+)?))? (?:${NAMES}|uses?|needs?|requires?|offers?|sells?) ${X}`,
  ),
  phraseRule(
    "mention",
    `\\b(?:is|are|if|whether)(?: there)?(?: a| any)? (?:mentions?|references?) (?:of|to) ${X}`,
  ),
  phraseRule(
    "mention",
    String.raw`\b(?:is|are|if|whether)(?: there)? (?:the |a |an |any )?(?:words?|terms?|phrases?|texts?|strings?|keywords?) ${PHRASE}(?= (?:is |are )?(?:on|in|at|within|anywhere|there|present|mentioned|used|found|appears?|occurs?|exists?|url\d+_)| ?$)`,
  ),
  phraseRule(
    "mention",
    String.raw`\b(?:is|are|does|do|if|whether) (?!(?:only|just|merely|simply|never|not|also|already|still|often) )(?:the (?:word|term|phrase|text|string) )?${PHRASE} (?:be |is |are )?(?:mentioned|present|appear|appears|occur|occurs|found|exists?|show up|shows up)\b`,
  ),
  phraseRule("mention", String.raw`\bis (str\d+_) (?:on|in|at|anywhere|there)\b`),
  phraseRule(
    "mention",
    String.raw`\b(?:check|verify|look|see) for (?:the )?(?:presence|existence|mention) of ${X}`,
  ),
  linesRule(
    `\\b(?:sentences?|lines?|paragraphs?|passages?|places|parts?|text|snippets?|everything(?! on)|anything(?! on))(?: (?:that|which|where))?(?: (?:it|they|the page))? (?:${SPEAKS}|with|about|matching|matches|match|on) ${X}`,
  ),
  linesRule(`\\b(?:every|each|all|any|the)(?: the)? (?:mentions?|references?) (?:of|to) ${X}`),
  linesRule(`\\b(?:search|grep|scan|look through|go through)\\b[^,;]{0,40}? for ${X}`),
  linesRule(
    String.raw`\b(?:look for|find|grep|search for) (?:the (?:word|term|phrase|text) )?(str\d+_)`,
  ),
  linesRule(`\\b(?:look for|find|grep|search for) the (?:words?|term|phrase|text|string) ${X}`),
  {
    pattern:
      /\b(first|opening|intro|introductory|second|third|fourth|fifth|last|final|\d(?:st|nd|rd|th))(?: (\d{1,2}))? (?:paragraphs?|sentences?)\b/,
    make: paragraphs,
    consumes: true,
  },
  {
    pattern: /\b(?:intro|introduction|opening|lead) paragraph\b|\bintroduction\b/,
    make: () => ({ kind: "paragraphs", from: "start", skip: 0, count: 1 }),
    consumes: true,
  },
  {
    pattern:
      /\b(?:status codes?|http status|response codes?|http codes?|url\d+_ (?:is )?(?:still )?(?:up|online|reachable|alive|down|offline|working|respond|responds|responding|accessible)(?: or (?:down|not|offline))?|is url\d+_ (?:available|ok|live)|ping)\b/,
    make: () => ({ kind: "status" }),
    consumes: true,
  },
  {
    pattern:
      /\b(?:meta )?description of (?:the |this )?(?:page|site|url\d+_)|\b(?:meta|page|site) description\b/,
    make: () => ({ kind: "description" }),
    consumes: true,
  },
  {
    pattern:
      /\bmain (?:heading|title)\b|\b(?:the|its|page) heading\b(?! (?:level|text|tag|that|which|about|with|containing|mentioning|called))|\bh1s?\b|\b(?:top|first)[- ]level headings?\b/,
    make: () => ({ kind: "headings", level: 1 }),
    consumes: true,
  },
  {
    pattern:
      /\bh([2-6])s?\b|\b(?:heading )?level[ -]([2-6])(?: headings?)?\b|\b(subheadings?|subtitles?)\b/,
    make: (match) => ({ kind: "headings", level: Number(match[1] ?? match[2] ?? 2) }),
    consumes: true,
  },
  {
    pattern: /\b(?:(each|every|all|any) )?headline(s)?\b/,
    make: (match) => ({
      kind: "headings",
      ...(match[1] === undefined && match[2] === undefined ? { level: 1 } : {}),
      headlines: true,
    }),
  },
  {
    pattern:
      /\bheadings?\b|\bsection (?:titles?|names?|headers?)\b|\bheaders (?:of|on) (?:the page|url)/,
    make: () => ({ kind: "headings" }),
  },
  {
    pattern: /\btable of contents\b|\bsections\b/,
    make: () => ({ kind: "headings" }),
    consumes: true,
  },
  {
    pattern:
      /\bsummar(?:y|ies|i[sz]e[sd]?|i[sz]ing)\b|\bsum (?:up|it up)(?= (?:the |this |that |what |these |briefly )?(?:pages?|sites?|articles?|content|contents|text|url|post|story|document|blog|says?|is)|$)|\btl ?; ?dr\b|\boverview\b|\bgist\b|\b(?:key|main) (?:points|takeaways|ideas)\b|\btakeaways\b|\bdigest\b|\bwhat(?: is|'s)? [^,;]{0,30}\babout ?(?:$|,|\?)|\bdescribe (?:url|the page|this page|the site|what)|\btell me (?:something )?about (?:url\d|this page|the page)|\bwhat (?:is|do you (?:see|find)|can i (?:see|find)) (?:on|at|in|there on) (?:url\d|the page|this page)|\bshort description\b/,
    make: () => ({ kind: "summary" }),
    consumes: true,
  },
  {
    pattern:
      /\b(?:how many|number of|count(?: of)?(?: all)?(?: the)?) (tables|paragraphs|columns)\b/,
    make: (match) => ({
      kind: "parts",
      of: match[1] === "tables" ? "tables" : match[1] === "columns" ? "columns" : "paragraphs",
    }),
    consumes: true,
  },
  {
    pattern:
      /\bhow many words\b|\bword ?count\b|\bnumber of words\b|\bcount (?:all )?(?:the )?words\b/,
    make: () => ({ kind: "words" }),
    consumes: true,
  },
  {
    // "… and return the JSON": what came back as it is, unless the ask does something to it.
    pattern:
      /\b(?:return|save|store|write|export|download|give(?: me)?|show(?: me)?|print|output|get|retrieve|read|report|hand over|tell me|display|with|and)(?: back)? (?:the |its )?(?:raw |whole |full |entire |complete |parsed |returned |resulting )*(?:json(?: (?:body|data|payload|object|response|document|answer))?|(?:response )?body|payload|response(?: (?:data|json|object))?)(?= ?(?:$|,)| (?:(?:of|from|at|for|that|which|it|there|back|as|unchanged) )?url\d+_| (?:it|that|which) (?:returns?|answers?|sends?|gives?)| (?:back|unchanged|as it is|please)\b)/,
    make: () => ({ kind: "response", unless: "records" }),
    consumes: true,
  },
  {
    pattern:
      /\b(?:full|whole|entire|complete|raw|plain|main|all(?: of)? the|page|body) (?:page )?(?:text|content|contents|body)\b|\b(?:text|content|contents|body) of (?:the |this )?(?:page|url\d|article|site)|\b(?:return|give(?: me| us)?|get|show(?: me| us)?|print|output|tell(?: me| us)?|read(?: me)?|extract|fetch|and|with)(?: back)? (?:its|the|their|all (?:of )?(?:its|the)) (?:plain |whole |full )?(?:text|contents?)(?= ?(?:$|,)| (?:back|please|only|as text)\b| (?:of|from|at|on) (?:it|url\d+_)(?: |$)| and (?!the\b))|\bas markdown\b|\bwhat does (?:the page|this page|it|url\d+_) say ?(?:$|\?)/,
    make: () => ({ kind: "content" }),
    consumes: true,
  },
  {
    pattern: /\bemails?\b(?! (?:me|him|her|them|it|us|this|to)\b)/,
    make: () => ({ kind: "emails" }),
  },
  {
    pattern: /\b(?:tele)?phone(?:s| numbers?)?\b(?! call)|\bcontact numbers?\b|\btel numbers?\b/,
    make: () => ({ kind: "phones" }),
  },
  { pattern: /\blinks?\b|\burls?\b|\bhrefs?\b/, make: () => ({ kind: "links" }) },
  {
    pattern:
      /\bbullet(?:ed)?(?: point| list)?(?: item)?s?\b|\blist items\b|\bitems (?:of|in|on) the list\b|\bnumbered list\b/,
    make: () => ({ kind: "lists" }),
  },
  {
    pattern:
      /\btitle\b(?! (?:is|contains|column))|\btitles (?:of|from|for|at) (?:the |these |those |both |all )*(?:following )?(?:pages|sites|url\d)|\bpage titles\b/,
    make: () => ({ kind: "title" }),
  },
  {
    pattern: /\bprices?\b|\bcosts?\b/,
    make: () => ({ kind: "prices" }),
  },
  {
    pattern:
      /\bwhat (?:does )?(?:it|the (?:server|api|service)) (?:answers?|responds?|returns?|replies|says?|sends? back|gives? back)|\b(?:response|reply|server answer)\b(?! (?:time|code))|\bwhat (?:comes|came) back\b|\bwhat you get(?: back)?\b/,
    make: () => ({ kind: "response" }),
    consumes: true,
  },
];

/** The direct wants that a text names, and the text without those that only make sense as such. */
export function findWants(
  text: string,
  read: (phrase: string) => string,
): { wants: Want[]; rest: string } {
  const found: { want: Want; at: number }[] = [];
  let rest = text;
  for (const { pattern, make, consumes } of RULES) {
    const match = pattern.exec(rest);
    if (match === null) continue;
    const want = make(match, read);
    const known = found.some((other) => other.want.kind === want.kind);
    if (!known) found.push({ want, at: pattern.exec(text)?.index ?? match.index });
    if (consumes) rest = rest.replace(pattern, " ").replace(/ {2,}/g, " ").trim();
  }
  const wants = found.sort((left, right) => left.at - right.at).map(({ want }) => want);
  return { wants, rest };
}
