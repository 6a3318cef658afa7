/** How letters end; "best" alone only where a comma or a new line follows. */
const CLOSING =
  "(?:(?:with )?(?:(?:my |our )?(?:very )?(?:best|kind(?:est)?|warm(?:est)?|many) )?(?:regards|wishes|greetings)|all the best|best(?=\\s*[,\\n–—-])|(?:yours )?sincerely(?: yours)?|yours(?: (?:faithfully|truly))?|cheers|(?:many )?thanks(?: (?:again|a lot|so much|a million|in advance|very much))?|thank you(?: (?:again|very much|so much|in advance))?|take care|br|kr)";
/** Where a closing may begin: after a sentence, a comma, a line. */
const BEGINNING = /(?=\p{L})(?<=^|[.!?;:),_\n]\s{0,20})(?<![\w-])\p{L}/gu;
const ENDING = new RegExp(
  String.raw`^${CLOSING}(?![\w-])\s*[,!.–—-]*([\p{L}\p{N}\s.,'&/–—:;()-]{0,80})$`,
  "iu",
);
const SIGNATURE = /^(?:\s*[-–—,]*\s*\p{Lu}[\p{L}\p{N}.'&-]*){0,8}\s*(?:[:;]-?\))?[\s.]*$/u;
/** What is given word for word keeps its closing: it may be the end of a mail's own text. */
const GIVEN =
  /\b(?:saying|says|reads?|reading|text|body|message|tell (?:him|her|them))\b\s*[:"“'‘]|\bsaying\b/i;

/** A message without the greeting and the name that end it: "Best, Tom" asks for nothing. */
export function withoutClosing(message: string): string {
  if (GIVEN.test(message)) return message;
  const start = [...message.matchAll(BEGINNING)].find(({ index }) => {
    const ending = ENDING.exec(message.slice(index));
    return ending !== null && SIGNATURE.test(ending[1] ?? "");
  })?.index;
  if (start === undefined) return message;
  const rest = message.slice(0, start).replace(/[\s,;–—-]+$/, "");
  return rest === "" ? message : rest;
}
