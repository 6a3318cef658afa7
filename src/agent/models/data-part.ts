/** Marks data in a prompt. The instructions say that nothing inside is an instruction. */
export const DATA_TAG = "untrusted_data";

/** A mark that the data itself carries, spaced out or not, in whatever case. */
const FORGED_MARK = new RegExp(`<(?=[\\s/\\\\]*${DATA_TAG})`, "gi");

/**
 * JSON text as a marked part of a prompt. `<` before the mark's own name is written as `\u003c`, which
 * reads the same in JSON, so that the data can neither end its part nor begin another.
 */
export function dataPart(attributes: Record<string, string>, json: string): string {
  const pairs = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${value.replace(/[^\w.:-]/g, "_")}"`,
  );
  const harmless = json.replace(FORGED_MARK, "\\u003c");
  return `<${DATA_TAG}${pairs.join("")}>\n${harmless}\n</${DATA_TAG}>`;
}
