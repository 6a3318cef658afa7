import { pathText } from "../mapping/paths.ts";
import { fieldsOf, isAlwaysThere, type Shape } from "./profile.ts";

/** A place that a mapping can read. */
export interface Place {
  names: string[];
  /** The same in dot notation. */
  path: string;
  shape: Shape;
  /** Whether it was in every payload. */
  always: boolean;
}

/** What a mapping takes as `from`. */
const MAX_PATH_LENGTH = 500;

/** All places inside a shape that lead through objects only, in the order of their first sight. */
export function placesOf(root: Shape): Place[] {
  const found: Place[] = [];

  function enter(shape: Shape, names: string[], always: boolean): void {
    const isOnlyObject = Object.keys(shape.types).every((type) => type === "object");
    for (const [name, field] of fieldsOf(shape)) {
      const inside = [...names, name];
      const path = pathText(inside);
      // A path cannot tell of an empty name.
      if (name === "" || path.length > MAX_PATH_LENGTH) continue;
      const isAlways = always && isOnlyObject && isAlwaysThere(field, shape);
      found.push({ names: inside, path, shape: field, always: isAlways });
      enter(field, inside, isAlways);
    }
  }

  enter(root, [], true);
  return found;
}
