import type { Json } from "../../../../contract/json.ts";
import { type References, textOf } from "./references.ts";

const TOKEN = /\uE000(\d+)\uE001/g;

/** All that could end a string or begin a statement is spelled by its number. */
function escaped(text: string): string {
  return text.replace(
    /[^A-Za-z0-9 ]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function literal(value: Json): string {
  if (typeof value === "number" || typeof value === "boolean" || value === null)
    return String(value);
  if (typeof value === "string") return `"${escaped(value)}"`;
  return `JSON.parse("${escaped(JSON.stringify(value))}")`;
}

/** Whether a place in code lies within a string. */
function quoted(before: string): boolean {
  let open = "";
  for (let at = 0; at < before.length; at++) {
    const char = before[at] ?? "";
    if (char === "\\") at++;
    else if (open === "" && /["'`]/.test(char)) open = char;
    else if (char === open || (char === "\n" && open !== "`")) open = "";
  }
  return open !== "";
}

/** Code of the client's own with the values of its references: as text in a string, else as literals. */
export function fillCode(code: string, references: References): string {
  return code.replace(TOKEN, (_raw, place: string, at: number) => {
    const { name, value } = references.at(place);
    if (value === undefined) return `{{${name}}}`;
    return quoted(code.slice(0, at)) ? escaped(textOf(value)) : literal(value);
  });
}
