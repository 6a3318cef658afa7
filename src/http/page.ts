import type * as z from "zod";
import { closed } from "../contract/fields.ts";
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
  const { items, nextCursor } = cutPage(rest, query.limit, ({ place }) => place);
  return { items: items.map(({ item }) => item), nextCursor };
}

/** One page of what a query found that asked for one more than `limit`, which tells whether there is a next. */
export function cutPage<Item>(
  found: readonly Item[],
  limit: number,
  placeOf: (item: Item) => Position,
): { items: Item[]; nextCursor: string | null } {
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, nextCursor: last === undefined ? null : encodeCursor(placeOf(last)) };
}

/** Orders by time, and by id where the time is the same, so that every item has one place. */
function newestFirst(left: Position, right: Position): number {
  if (left.createdAt !== right.createdAt) return right.createdAt - left.createdAt;
  return left.id < right.id ? 1 : left.id > right.id ? -1 : 0;
}
