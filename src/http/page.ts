import type * as z from "zod";
import { closed } from "../contract/closed.ts";
import { decodeCursor, encodeCursor, type Position } from "./cursor.ts";
import { cursor, limit } from "./query.ts";

/** The query of a short list, which its owner holds whole. */
export const pageQuery = closed({ limit, cursor });

/** One page of a whole list, from the newest to the oldest, and the cursor of the next. */
export function pageOf<Item>(
  all: readonly Item[],
  query: z.output<typeof pageQuery>,
  placeOf: (item: Item) => Position,
): { items: Item[]; nextCursor: string | null } {
  const position = query.cursor === undefined ? null : decodeCursor(query.cursor);
  const rest = all
    .map((item) => ({ item, place: placeOf(item) }))
    .sort((left, right) => newestFirst(left.place, right.place))
    .filter(({ place }) => position === null || newestFirst(position, place) < 0);
  const page = rest.slice(0, query.limit);
  const last = rest.length > query.limit ? page.at(-1) : undefined;
  return {
    items: page.map(({ item }) => item),
    nextCursor: last ? encodeCursor(last.place) : null,
  };
}

/** Orders by time, and by id where the time is the same, so that every item has one place. */
function newestFirst(left: Position, right: Position): number {
  if (left.createdAt !== right.createdAt) return right.createdAt - left.createdAt;
  return left.id < right.id ? 1 : left.id > right.id ? -1 : 0;
}
