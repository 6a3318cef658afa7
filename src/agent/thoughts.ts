const FENCE = /(```[\s\S]*?(?:```|$))/;
const LEADING = /^(?:\s*<(think(?:ing)?)>[\s\S]*?(?:<\/\1>|$))+\s*/;
const ALONE = /^[ \t]*<\/think(?:ing)?>[ \t]*$/m;
const OWN_LINES = /^[ \t]*<(think(?:ing)?)>[\s\S]*?<\/\1>/gm;

/**
 * Returns a model's text without the thoughts that open models write into it between `<think>` and
 * `</think>`. The first tag is missing where the server's template has it; the last one where the reply
 * was cut off. Such tags within a sentence or in a fenced block are part of the text.
 */
export function withoutThoughts(text: string): string {
  let rest = text.replace(LEADING, "");
  const end = ALONE.exec(rest);
  if (end !== null && !rest.slice(0, end.index).includes("<think"))
    rest = rest.slice(end.index + end[0].length).trimStart();
  return rest
    .split(FENCE)
    .map((part, index) => (index % 2 === 0 ? part.replace(OWN_LINES, "") : part))
    .join("");
}

const TAG = "<think";

/**
 * Returns a function that takes the pieces of a text as a model writes it and returns what of them to show:
 * all but the thoughts at its beginning, which some open models write between `<think>` and `</think>`.
 */
export function liveText(): (piece: string) => string {
  let held = "";
  let isDecided = false;
  return (piece) => {
    if (isDecided) return piece;
    held += piece;
    const start = held.trimStart();
    const isThought = start.startsWith(TAG);
    const end = isThought ? /<\/think(?:ing)?>\s*/.exec(start) : null;
    if (end === null && (isThought || TAG.startsWith(start))) return "";
    isDecided = end === null || end.index + end[0].length < start.length;
    if (!isDecided) return "";
    const shown = end === null ? held : start.slice(end.index + end[0].length);
    held = "";
    return shown;
  };
}
