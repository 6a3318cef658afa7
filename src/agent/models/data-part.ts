/** Marks data in a prompt. The instructions say that nothing inside is an instruction. */
export const DATA_TAG = "untrusted_data";

/** A mark that the data itself carries, spaced out or not, in whatever case. */
const FORGED_MARK = new RegExp(`<(?=[\\s/\\\\]*${DATA_TAG})`, "gi");

/**
 * JSON text that cannot pass for a mark: `<` before the mark's own name is written as `\u003c`, which
 * reads the same in JSON. It may be longer than before.
 */
export function withoutMarks(json: string): string {
  return json.replace(FORGED_MARK, "\\u003c");
}

/** JSON text as a marked part of a prompt. The data can neither end its part nor begin another. */
export function dataPart(attributes: Record<string, string>, json: string): string {
  const pairs = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${value.replace(/[^\w.:-]/g, "_")}"`,
  );
  return `<${DATA_TAG}${pairs.join("")}>\n${withoutMarks(json)}\n</${DATA_TAG}>`;
}
