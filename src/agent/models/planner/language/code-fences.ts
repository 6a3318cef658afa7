/** Languages of fenced blocks that are code; of these, only the first ones run here. */
const JAVASCRIPT = new Set(["js", "javascript", "mjs", "node", "ecmascript"]);
const OTHERS = new Set(
  (
    "py python python3 rb ruby sh bash shell zsh powershell ps1 sql java c cpp csharp cs go golang rust rs " +
    "php perl r kotlin swift scala lua ts typescript tsx jsx"
  ).split(" "),
);

/** A block of code that the prompt brings. */
export interface Code {
  /** `javascript`, or another language's name as it was written. */
  language: string;
  text: string;
}

const STATEMENT =
  /^\s*(?:return\b|(?:const|let|var)\s+[\w{[]|function\b|async\s|for\s*\(|if\s*\(|while\s*\(|console\.|\/\/|throw\b)|=>|\breturn\s+[\w([{"'`-]|;\s*$/m;
const PYTHON =
  /^\s*(?:def \w+\(|import \w+\s*$|from \w+ import|print\(|for \w+ in .*:\s*$|elif\b)/m;

/** The code that a fenced block is, by its language or, without one, by its look; null for data. */
export function codeOf(tag: string, text: string): Code | null {
  const language = tag.toLowerCase();
  if (JAVASCRIPT.has(language)) return { language: "javascript", text };
  if (OTHERS.has(language)) return { language, text };
  if (language !== "") return null;
  if (PYTHON.test(text)) return { language: "python", text };
  return STATEMENT.test(text) ? { language: "javascript", text } : null;
}

/** Words of one line without a colon but those of addresses. */
const WORDS = String.raw`(?:https?:\/\/[^\s\`]{1,300}(?<!:)|[^:\n\`]){0,60}`;
const RUN = String.raw`\b(?:run|execute|evaluate|eval|use|apply)\b`;
const ANNOUNCED = new RegExp(
  String.raw`((?:^\s*(?:please\s+)?(?:run|execute|eval(?:uate)?)(?:\s+(?:this|that|the following))?\s*(?=:))|${RUN}${WORDS}\b(?:code|snippet|program|script|function|expression|java ?script|js)\b${WORDS}):(?!\/\/)\s*(?!\`)(\S[\s\S]{0,32000})$`,
  "i",
);
const INLINE = new RegExp(
  String.raw`(${RUN}[^:\n\`]{0,60}?:?\s*)(?<!\`)\`([^\`\n]{1,4000})\`(?!\`)`,
  "i",
);
const LOOKS_LIKE_CODE =
  /\breturn\b|=>|;\s*$|\b(?:const|let|var|function)\s|\bMath\.|\bconsole\.|\w\(.*\)|[\w)\]\uE001]\s*[-+*/%]{1,2}\s*[\w([\uE000]/m;

/** Puts code that stands in a sentence ("run this code: return 1", "run `1 + 1`") into a fence. */
export function fenceCode(message: string): string {
  if (message.includes("```")) return message;
  const inline = INLINE.exec(message);
  if (inline !== null && LOOKS_LIKE_CODE.test(inline[2] ?? "")) {
    const fence = `${inline[1]}\n\`\`\`js\n${inline[2]}\n\`\`\`\n`;
    return message.replace(inline[0], () => fence);
  }
  const announced = ANNOUNCED.exec(message);
  const said = (announced?.[2] ?? "").replace(/(?<!["'`])\bhttps?:\/\/\S+/gi, " ");
  if (announced === null || !LOOKS_LIKE_CODE.test(said)) return message;
  const language = /\bpython\b/i.test(announced[1] ?? "") ? "python" : "js";
  const fence = `${announced[1]}\n\`\`\`${language}\n${announced[2]}\n\`\`\``;
  return message.replace(announced[0], () => fence);
}
