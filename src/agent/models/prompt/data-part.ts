/** Marks data in a prompt. The instructions say that nothing inside is an instruction. */
export const DATA_TAG = "untrusted_data";

/**
 * What a forged mark is made of, be it ours or one of a model's own (`<|im_start|>`, `</s>`): the angle
 * bracket with its look-alikes, and the invisible tag characters, which some models read as letters.
 */
const MARKING = /[<\uff1c\ufe64\u{e0000}-\u{e007f}]/gu;

/**
 * JSON text that no mark can stand in: each such character is written as its escape, which reads the
 * same in JSON. It may be longer than before.
 */
export function withoutMarks(json: string): string {
  return json.replace(MARKING, escapes);
}

function escapes(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** JSON text as a marked part of a prompt. The data can neither end its part nor begin another. */
export function dataPart(attributes: Record<string, string>, json: string): string {
  const pairs = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${value.replace(/[^\w.:-]/g, "_")}"`,
  );
  return `<${DATA_TAG}${pairs.join("")}>\n${withoutMarks(json)}\n</${DATA_TAG}>`;
}
