import type { PayloadValue } from "../../../contract/inbound/payload.ts";

/** JSON text of a value; whole numbers beyond a double keep their digits, as numbers. */
export function jsonText(value: PayloadValue): string {
  if (typeof value === "bigint") return String(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`,
  );
  return `{${members.join(",")}}`;
}
