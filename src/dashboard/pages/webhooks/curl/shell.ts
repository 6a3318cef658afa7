/** A piece of a word in a shell: text as it is, or what a variable holds. */
export type Piece = string | { variable: string };

/** Text that means itself between double quotes, in an interactive shell too. */
const HARMLESS = /^[\w :;,.=/@%+&?{}[\]()<>~^|-]*$/;

/** One word of a command, whatever its pieces hold. */
export function word(...given: Piece[]): string {
  const pieces = merged(given);
  const isPlain = pieces.every((piece) => typeof piece !== "string" || HARMLESS.test(piece));
  const hasVariable = pieces.some((piece) => typeof piece !== "string");
  if (isPlain && hasVariable) return `"${pieces.map(inQuotes).join("")}"`;
  const joined = pieces.map((piece) =>
    typeof piece === "string" ? quoted(piece) : `"$${piece.variable}"`,
  );
  return joined.length === 0 ? "''" : joined.join("");
}

/** Texts that follow each other as one. */
function merged(pieces: Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (typeof piece === "string" && typeof last === "string") all.splice(-1, 1, last + piece);
    else all.push(piece);
  }
  return all;
}

/** Braces, so that what follows a name is not taken for a part of it. */
const inQuotes = (piece: Piece): string =>
  typeof piece === "string" ? piece : `\${${piece.variable}}`;

/** POSIX, 2.2.2: between single quotes all but a single quote means itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** What a template in a sample stands for, as the variable that holds it. */
const TOKENS = { "{{id}}": "ID", "{{now}}": "TIME" } as const;
const TOKEN = /(\{\{(?:id|now)\}\})/;

/** A text in which `{{id}}` and `{{now}}` are filled when the command runs. */
export function piecesOf(template: string): Piece[] {
  return template
    .split(TOKEN)
    .filter((part) => part !== "")
    .map((part) => {
      const variable = Object.entries(TOKENS).find(([token]) => token === part)?.[1];
      return variable === undefined ? part : { variable };
    });
}

/** The same, filled now. */
export function filled(template: string, id: string, now: number): string {
  return template.replaceAll("{{id}}", id).replaceAll("{{now}}", String(Math.floor(now / 1_000)));
}
