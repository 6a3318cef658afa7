import type { Want, WantKind } from "./types.ts";

const DROP = String.raw`\b(?:skip|ignore|drop|exclude|remove|forget(?: about)?|leave out|omit|stop (?:looking at|reading|using|following|opening|with)|(?:do|does) not (?:use|open|read|follow|look at|include|visit|bother with)|no longer (?:use|read|need)|without|instead of|rather than|not)\b`;
const PLACE: Record<string, number> = {
  first: 0,
  "1st": 0,
  second: 1,
  "2nd": 1,
  third: 2,
  "3rd": 2,
  fourth: 3,
  "4th": 3,
  fifth: 4,
};

/** The addresses (places in the list) that a follow-up takes back. */
export function droppedAddresses(text: string, addresses: string[], used: number[]): number[] {
  const direct = [
    ...text.matchAll(
      new RegExp(
        `${DROP}(?: (?:the|at|on|from|any|page|site|address|more))*((?: ?,?(?: and| or)? url\\d+_){1,20})`,
        "g",
      ),
    ),
  ].flatMap((match) => [...(match[1] ?? "").matchAll(/url(\d+)_/g)].map((url) => Number(url[1])));
  const numbered = new RegExp(
    `${DROP}(?: the)? (?:page|site|url|address|link|number)s? (?:number )?#?(\\d{1,3})\\b`,
  ).exec(text);
  const ordinal = new RegExp(
    `${DROP}(?: the)? (first|second|third|fourth|fifth|last|\\d(?:st|nd|rd|th)) (?:page|site|url|address|one|source)\\b`,
  ).exec(text);
  const dropped = [...direct];
  if (numbered?.[1] !== undefined) {
    const number = numbered[1];
    const named = used.find((at) =>
      new RegExp(`(?:page|p)[=/-]?${number}(?!\\d)|/${number}(?:\\.\\w+)?/?$`).test(
        addresses[at] ?? "",
      ),
    );
    const chosen = named ?? used[Number(number) - 1];
    if (chosen !== undefined) dropped.push(chosen);
  }
  if (ordinal?.[1] !== undefined) {
    const at = ordinal[1] === "last" ? used.length - 1 : (PLACE[ordinal[1]] ?? -1);
    const chosen = used[at];
    if (chosen !== undefined) dropped.push(chosen);
  }
  return dropped;
}

/** The page number from which a follow-up wants no more: "stop looking at page 3" of a paged list. */
export function pagesLimit(text: string): number | null {
  const match = new RegExp(`${DROP}(?: the)? pages? (\\d{1,3})`).exec(text);
  return match?.[1] === undefined ? null : Math.max(1, Number(match[1]) - 1);
}

/** Whether a follow-up replaces what was wanted rather than adding to it. */
export function replaces(text: string): boolean {
  return (
    /\b(?:instead|actually|rather|forget|changed my mind|on second thought|scrap that|never mind|nevermind|no ,|correction|i meant|not the)\b/.test(
      text,
    ) && !/\b(?:also|as well|too|in addition|additionally|plus)\b/.test(text)
  );
}

const NAMES: [WantKind, RegExp][] = [
  ["emails", /emails?/],
  ["links", /links?|urls?/],
  ["headings", /headings?/],
  ["prices", /prices?/],
  ["phones", /phones?|phone numbers?/],
  ["title", /titles?/],
  ["summary", /summary|summaries/],
  ["description", /description/],
];

/** The wants that a follow-up takes back ("forget the e-mails", "without the links"). */
export function droppedWants(text: string): WantKind[] {
  const after = new RegExp(`${DROP}(?: the| any| all| about| need| want| get)* ([a-z]+)`, "g");
  const words = [...text.matchAll(after)].map((match) => match[1] ?? "");
  return NAMES.filter(([, name]) =>
    words.some((word) => new RegExp(`^(?:${name.source})$`).test(word)),
  ).map(([kind]) => kind);
}

/** Adds wants that are not there yet. */
export function mergeWants(wants: Want[], more: Want[]): Want[] {
  const same = (want: Want) => (other: Want) => JSON.stringify(want) === JSON.stringify(other);
  return [...wants, ...more.filter((want) => !wants.some(same(want)))];
}
