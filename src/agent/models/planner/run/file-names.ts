const MAX_SHEET_NAME = 31;

/** Returns names that Excel accepts for sheets, each different from the others, ignoring case. */
export function sheetNames(titles: readonly string[]): string[] {
  // Excel reserves the name History.
  const taken = new Set<string>(["history"]);
  return titles.map((title) => {
    const plain = title
      .replace(/[\\/?*[\]:\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
      .replace(/\s+/g, " ")
      .replace(/^[\s']+|[\s']+$/g, "");
    const base = cut(plain, MAX_SHEET_NAME) || "Sheet";
    let name = base;
    for (let copy = 2; taken.has(name.toLowerCase()); copy += 1) {
      const ending = ` ${copy}`;
      name = `${cut(base, MAX_SHEET_NAME - ending.length)}${ending}`;
    }
    taken.add(name.toLowerCase());
    return name;
  });
}

/** Cuts a text to a number of UTF-16 units without halving a pair, and trims its end. */
function cut(text: string, most: number): string {
  return text
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, "")
    .replace(/[\s']+$/, "");
}

/** Returns a safe file name with the extension of its format. */
export function fileName(wanted: string, extension: string): string {
  const plain = wanted
    .replace(/\.(?:xlsx?|xlsm|csv|ods|tsv|txt|json|md|markdown)$/i, "")
    .replace(/[/\\\p{Cc}\p{Cf}]+/gu, "-")
    .replace(/^[.\s-]+|[.\s-]+$/g, "")
    .slice(0, 100);
  return `${plain === "" ? "data" : plain}.${extension}`;
}

/** Returns a file's name made of words: "Loose tea" becomes "loose-tea". */
export function slug(words: string): string {
  return (words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["data"]).join("-").slice(0, 60);
}
