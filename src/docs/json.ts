const WIDTH = 64;

/** JSON to be read: what is short stands on one line, the rest is laid out. */
export function prettyJson(value: unknown, indent = ""): string {
  const line = onOneLine(value);
  if (indent.length + line.length <= WIDTH) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return laidOut(
      "[",
      value.map((item) => prettyJson(item, inner)),
      "]",
      indent,
    );
  }
  if (typeof value !== "object" || value === null) return line;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${prettyJson(member, inner)}`,
  );
  return laidOut("{", members, "}", indent);
}

function laidOut(open: string, parts: string[], close: string, indent: string): string {
  return `${open}\n${parts.map((part) => `${indent}  ${part}`).join(",\n")}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
