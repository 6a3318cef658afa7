import type { Reading, Sentence } from "../language/reading.ts";

const FINDS =
  /^(?:please )?(?:find|locate|look for|search for|identify|get) (?=the (?:link|page|article|entry|section)\b)/;
const OPENS =
  /^(?:please |and |then )*(?:open|follow|click(?: on)?|visit|go to|load) (?:it|that(?: link| page)?|this(?: link| page)?|the link)\b ?,? ?(?:and |then )*/;

/** "Find the link to X. Open it." in two sentences is "open the link to X". */
export function joinOpenIt(reading: Reading): Reading {
  const sentences: Sentence[] = [];
  for (const sentence of reading.sentences) {
    const last = sentences.at(-1);
    const opens = OPENS.exec(sentence.text);
    const finds = last === undefined ? null : FINDS.exec(last.text);
    if (last === undefined || opens === null || finds === null) {
      sentences.push(sentence);
      continue;
    }
    const rest = sentence.text.slice(opens[0].length);
    const joined = `open ${last.text.slice(finds[0].length)}${rest === "" ? "" : ` and ${rest}`}`;
    sentences[sentences.length - 1] = { ...last, text: joined };
  }
  return { ...reading, sentences };
}
