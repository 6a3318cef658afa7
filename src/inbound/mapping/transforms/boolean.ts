import { made, type TransformOf, unfit } from "./outcome.ts";

const WORDS = new Map([
  ["true", true],
  ["yes", true],
  ["on", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["off", false],
  ["0", false],
]);

/** true/false, yes/no, on/off (what a form's checkbox sends) and 1/0, in any case; nothing else. */
export const boolean: TransformOf<"boolean"> = (value) => {
  if (typeof value === "boolean") return made(value);
  const word =
    typeof value === "object" ? undefined : WORDS.get(String(value).trim().toLowerCase());
  return word === undefined ? unfit(value, "true/false, yes/no, on/off or 1/0") : made(word);
};
