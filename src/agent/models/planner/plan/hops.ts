import type { Hop } from "./types.ts";

const GO =
  "(?:follow|click(?: on)?|open|visit|go (?:to|into|through)|navigate to|press|check|enter|browse(?: to)?|load|fetch|look (?:at|into|inside)|use|take|read)";
const LINK = "(?:links?|pages?|sections?|buttons?|tabs?|entry|menu items?|items?|subpages?|hrefs?)";
const EACH = String.raw`(?:each(?: and every)?(?: one)?|every(?: single)?(?: one)?|all|the first \d{1,3}|first \d{1,3}|any)(?: of)?(?: the| those| these| its)?`;
const CALLED =
  "(?:called|named|labell?ed|titled|that says|saying|with the (?:text|label|name|title)|reading|which says|marked)";

/** Which of the links are to be followed: "that mention docs", "whose text contains tea". */
const CONTAINING =
  " (?:(?:that|which|whose (?:text|name|title|url|address|link)) )?(?:mentions?|mentioning|contains?|containing|includes?|including|has|have|with|about|leads? to|points? to)(?: (?:the|an?|word|text|term|phrase))*";

interface HopRule {
  pattern: RegExp;
  make: (match: RegExpExecArray, read: (phrase: string) => string) => Hop | null;
}

const GENERIC = new Set(
  (
    "page pages link links each every all the it its their of on detail details linked own sub first " +
    "respective individual single one listed following resulting that a those these them found next given provided supplied specified passed input inputs said"
  ).split(" "),
);

/** What the links to follow are about: the words of the phrase that say more than "each page". */
function about(phrase: string): string | null {
  const words = phrase
    .split(" ")
    .filter((part) => part !== "" && !GENERIC.has(part) && !/\d/.test(part));
  return words.length === 0 ? null : words.join(" ");
}

function limitOf(text: string): number | null {
  const count = /\b(?:first|max(?:imum)?|up to|at most|only) (\d{1,3})\b|\b(\d{1,3}) pages\b/.exec(
    text,
  );
  return count === null ? null : Number(count[1] ?? count[2]);
}

const NEXT_PAGE: HopRule[] = [
  {
    pattern:
      /\b(?:(?:go|click|page|walk|step|run|crawl|scroll) through|over|across|on|from|of|visit|read|follow|include|check|cover|get|collect from|fetch|open|use|do) (?:all|every|each)(?: of)?(?: the| its)?(?: (\d{1,3}))?(?: (?:result|results|list|listing|catalogue|catalog|paginated|following|next|search))? pages?(?! (?:linked|mentioned|listed|titles?|that|it|about))\b/,
    make: (match) => ({ kind: "pages", limit: match[1] === undefined ? null : Number(match[1]) }),
  },
  {
    pattern:
      /\b(?:follow(?:ing)?|using|use|handle|with|click(?:ing)?|walk|through|press(?:ing)?)? ?(?:the )?(?:pagination|paginated|paging|pager)\b(?: links?| until the end)?|\bpage by page\b|\buntil (?:the|there (?:is|are) no(?: more)?) (?:last|final|next|more|end|further)?(?: ?pages?| ?links?)?\b|\b(?:follow(?:ing)?|click(?:ing)?(?: on)?|press(?:ing)?)(?: the)? (?:next|str\d+_)(?: page)?(?: links?| button)? (?:until|to the end|as long as|while|repeatedly)\b[^,;]{0,40}|\b(?:and|plus|including) (?:all )?(?:the )?(?:next|following|other|further|remaining|subsequent) pages\b|\b(?:follow(?:ing)?|using|via)(?: all)?(?: the)? next(?:[- ]page)? links\b|\bfollowing (?:the )?next(?:[- ]page)? link\b|\ball pages\b|\bevery page\b|\bmultiple pages\b/,
    make: (match) => (/\bfirst \d/.test(match[0]) ? null : { kind: "pages", limit: null }),
  },
  {
    pattern:
      /\b(?:the )?(?:first|up to|at most|max(?:imum)?(?: of)?|only) (\d{1,3}) (?:result |list )?pages\b/,
    make: (match) => ({ kind: "pages", limit: Number(match[1]) }),
  },
  {
    pattern:
      /\b(?:check|look at|include|read|use|see|add|also|and) (?:on )?(?:the )?next page (?:too|also|as well)\b/,
    make: () => ({ kind: "pages", limit: 2 }),
  },
  {
    pattern: /\bpages? (?:1|one) (?:to|through|until|-|–|and) (\d{1,3})\b|\bpages 1-(\d{1,3})\b/,
    make: (match) => ({ kind: "pages", limit: Number(match[1] ?? match[2]) }),
  },
];

/** "One by one": what is opened so is linked, however it is called. */
const SINGLY =
  "(?:one by one|one after (?:the other|another)|one at a time|each in turn|in turn|individually)";

const EACH_LINK: HopRule[] = [
  {
    pattern: new RegExp(
      `\\b${GO} (?:all )?(?:of )?(?:the |its |their |these |those )?((?:[\\w-]+ ){1,3}?)(?:(?:(?:listed|linked|found) )?(?:on|from|in|at|of|there)(?: url\\d+_)? )?,? ?${SINGLY}\\b`,
    ),
    make: (match) => ({ kind: "each", about: about(match[1] ?? ""), limit: limitOf(match[0]) }),
  },
  {
    pattern: new RegExp(
      `\\b(?:for|of|from) ${EACH} ((?:[\\w-]+ ){0,2}?)(?:links?|entry|entries|items?)(?: (?:on|from|in|at|of)(?: url\\d+_)?)?(?=.*\\b(?:pages?|sites?) (?:behind|(?:that )?(?:it|they) (?:leads?|points?|goes?|go|links?|opens?)|linked)\\b)`,
    ),
    make: (match) => ({ kind: "each", about: about(match[1] ?? ""), limit: limitOf(match[0]) }),
  },
  {
    pattern:
      /\b(?:follow|open|visit|click(?: on)?|go (?:through|into)|check|read) (?:them(?: all)?|those(?: links| pages)?|these(?: links)?|each(?: one| of them)?|all of them|every one(?: of them)?)(?= (?:and|to|then|for)\b| ?,| ?$)/,
    make: () => ({ kind: "each", about: null, limit: null }),
  },
  {
    pattern: new RegExp(
      `\\b(?:${GO}|from|on|in|of|for|at) ${EACH} ((?:[\\w-]+ ){0,3}?)(?:links?|(?:detail |sub|linked |product |article )?pages?)(?: (?:linked|listed|found|mentioned|that (?:is|are|it) ?(?:linked|listed|links to)?|it links to|behind))?(?: (?:on|from|in|at|of|there|to)\\b(?: url\\d+_)?)?(?= |$)(?:${CONTAINING} (str\\d+_|[\\w.-]+)(?: in (?:it|them|its \\w+|their \\w+|the \\w+))?)?(?= (?:and|to|then|,)|$| ,)`,
    ),
    make: (match, read) => ({
      kind: "each",
      about: about(match[1] ?? ""),
      ...(match[2] === undefined ? {} : { containing: read(match[2]) }),
      limit: limitOf(match[0]),
    }),
  },
  {
    pattern: new RegExp(
      `\\b${GO} (?:the |their |its )?(?:details?|detail pages?|pages?|profiles?|links?)(?: pages?)? (?:of|for) ${EACH} ((?:[\\w-]+ ?){1,2}?)(?= (?:on|from|in|at|and|to|then|listed|linked)\\b| ,|$)`,
    ),
    make: (match) => ({ kind: "each", about: about(match[1] ?? ""), limit: limitOf(match[0]) }),
  },
  {
    pattern: new RegExp(
      `\\b${GO} ${EACH} ((?:[\\w-]+ ?){1,3}?)(?= (?:on|from|in|at|and|to|then|listed|linked)\\b| ,|$)`,
    ),
    make: (match) => ({ kind: "each", about: about(match[1] ?? ""), limit: limitOf(match[0]) }),
  },
  {
    pattern: new RegExp(
      `\\b(?:for|from) ${EACH} ((?:[\\w-]+ ){0,2}?[\\w-]+)(?: (?:listed|linked|shown|found|mentioned|there))?(?: (?:on|at|in|from) url\\d+_)? ?,? (?:please )?(?:${GO}) (?:its|the|their|his|her) ?(?:own |detail |linked |product )?(?:links?|pages?|details?)(?: page)?`,
    ),
    make: (match) => ({ kind: "each", about: about(match[1] ?? ""), limit: limitOf(match[0]) }),
  },
  {
    pattern: new RegExp(
      `\\b(?:${GO}|following|opening|visiting|from) (?:the |its |their |these |those )?((?:[\\w-]+ ){0,2}?)(?:links|detail pages?|subpages|linked pages|product pages|article pages)(?: (?:on|from|in|there|listed|found))?\\b`,
    ),
    make: (match) => ({ kind: "each", about: about(match[1] ?? ""), limit: limitOf(match[0]) }),
  },
  {
    pattern:
      /\b(?:pages? )?(?:linked|it links to|that (?:are|is) linked)(?: (?:from|on|in|at))?(?= url\d| there| the page| it|$)/,
    make: () => ({ kind: "each", about: null, limit: null }),
  },
];

const POSITIONS: Record<string, number> = {
  first: 0,
  second: 1,
  third: 2,
  fourth: 3,
  fifth: 4,
  last: -1,
};

const ONE_LINK: HopRule[] = [
  {
    pattern:
      /\b(?:follow|click(?: on)?|press|open|go to|visit|use|take)(?: on)? (?:the |its )?next(?: page)?(?: link| button)?(?= (?:and|to|then|on|from|in)\b| ,|$)/,
    make: () => ({ kind: "link", text: "next" }),
  },
  {
    pattern: new RegExp(
      `\\b(?:${GO}|following|opening|visiting) (?:the |an? )?(?:article|page|post|story|entry|link|item|news|report|recipe|product)s? (?:about|on|regarding|for|titled|called|named) (?:the |an? )?(str\\d+_|(?!url\\d)(?:[\\w&-]+ ?){1,4}?)(?= (?:and|to|then|from|in|on|at)\\b| ,|$)`,
    ),
    make: (match, read) => ({ kind: "link", text: read((match[1] ?? "").trim()) }),
  },
  {
    pattern:
      /\b(?:find|locate|look for|head to|proceed to|continue (?:on )?to|move (?:on )?to|switch to|get to|jump to) (?:the |its |their )((?:[\w&-]+ ){1,3}?)(?:page|section|link|subpage)\b/,
    make: (match, read) =>
      about(match[1] ?? "") === null ? null : { kind: "link", text: read((match[1] ?? "").trim()) },
  },
  {
    pattern: new RegExp(
      `\\b${GO} (?:on )?(?:the |a )?(first|second|third|fourth|fifth|last) (?:link|result|article|product|item|entry|page)\\b(?: (?:on|in|of) (?:the (?:list|page)|it|url\\d+_))?`,
    ),
    make: (match) => ({ kind: "position", index: POSITIONS[match[1] ?? "first"] ?? 0 }),
  },
  {
    pattern: new RegExp(
      `\\b(?:${GO}|following|opening|clicking(?: on)?|visiting|via|through) (?:on )?(?:the |its |their |a )?(?:${LINK} )?(?:${CALLED} )(?:the )?(str\\d+_|[^,;]{1,50}?)(?= (?:link|page|section|button)\\b|(?: and| to| then| on| from| in|,| ,)|$)(?: (?:link|page|section|button))?`,
    ),
    make: (match, read) => ({ kind: "link", text: read(match[1] ?? "") }),
  },
  {
    pattern: new RegExp(
      `\\b(?:${GO}|following|opening|clicking(?: on)?|visiting|via|through) (?:on )?(?:the |its |their |a )?(?:link (?:to )?(?:the )?)?(str\\d+_)(?: ${LINK})?`,
    ),
    make: (match, read) => ({ kind: "link", text: read(match[1] ?? "") }),
  },
  {
    pattern: new RegExp(
      `\\b(?:${GO}|following|opening|clicking(?: on)?|visiting|via|through) (?:on )?(?:the |its |their |a |that )?(?:link (?:to|for) (?:the |its )?)([\\w -]{1,40}?)(?: ${LINK})?(?= (?:and|to|then|on|from|in)\\b| ,|$)`,
    ),
    make: (match, read) => ({ kind: "link", text: read(match[1] ?? "") }),
  },
  {
    pattern: new RegExp(
      `\\b(?:${GO}|following|opening|clicking(?: on)?|visiting|via|through) (?:on )?(?:the |its |their |a )((?:[\\w&-]+ ){1,3}?)(?:link\\b|(?:page|section|button|tab|subpage)\\b(?: (?:link|button)\\b)?(?! (?:at|of|on)? ?url))`,
    ),
    make: (match, read) => {
      const name = (match[1] ?? "").trim();
      return about(name) === null || /^(?:home|main|web|start|full|whole|same)$/.test(name)
        ? null
        : { kind: "link", text: read(name) };
    },
  },
  {
    pattern: /\bclick(?: on)? (?:the )?((?:[\w&-]+ ?){1,3}?)(?= (?:and|to|then|on|there)\b| ,|$)/,
    make: (match, read) => ({ kind: "link", text: read(match[1] ?? "") }),
  },
];

/** What is to be clicked may be a button, which only a real browser has; its kind is no part of its name. */
function clicked(hop: Hop, words: string): Hop {
  if (hop.kind !== "link" || !/^(?:click|press)/.test(words) || /^next$/.test(hop.text)) return hop;
  const name = hop.text.replace(/^(?:button|tab|link|menu(?: item)?|item|entry)\s+/, "");
  return { kind: "link", text: name, click: true };
}

/** The first hop that a text names, with where it stands. `several` tells that many addresses are given. */
export function findHop(
  text: string,
  read: (phrase: string) => string,
  several: boolean,
): { hop: Hop; start: number; rest: string } | null {
  const paging = several ? [] : NEXT_PAGE;
  const toLinks = several && !/\blinks?\b|\blinked\b/.test(text) ? [] : EACH_LINK;
  for (const { pattern, make } of [...paging, ...toLinks, ...ONE_LINK]) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const made = make(match, read);
    if (made === null) continue;
    const hop = clicked(made, match[0]);
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`;
    return { hop, start: match.index, rest: rest.replace(/ {2,}/g, " ").trim() };
  }
  return null;
}
