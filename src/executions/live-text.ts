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
