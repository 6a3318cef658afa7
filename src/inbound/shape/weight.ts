import { fieldsOf, type Shape, WEIGHT } from "./profile.ts";

const utf8 = new TextEncoder();

/** What one place adds to a profile; its name is empty for the items of an array. */
export function nameWeight(name: string): number {
  return WEIGHT.place + WEIGHT.perNameByte * utf8.encode(JSON.stringify(name)).length;
}

/** What a shape weighs, all in it included. */
export function weightOf(shape: Shape, name = ""): number {
  const inside = [shape.rest, shape.items].filter((part) => typeof part === "object");
  return (
    nameWeight(name) +
    inside.reduce((sum, part) => sum + weightOf(part), 0) +
    fieldsOf(shape).reduce((sum, [field, part]) => sum + weightOf(part, field), 0)
  );
}
