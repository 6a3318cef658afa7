/** The place of an item in a list from the newest to the oldest. */
export interface Position {
  /** Epoch milliseconds. */
  createdAt: number;
  id: string;
}

/** One page of items; `next` is the position of its last item if more follow. */
export interface Page<Item, Place = Position> {
  items: Item[];
  next: Place | null;
}

/** Makes a page of what a query for one more than `max` items found: the extra one tells of a next page. */
export function firstOf<Item, Place>(
  found: readonly Item[],
  max: number,
  positionOf: (item: Item) => Place,
): Page<Item, Place> {
  const items = found.slice(0, max);
  const last = found.length > max ? items.at(-1) : undefined;
  return { items, next: last === undefined ? null : positionOf(last) };
}

/** Orders by time, then by id, so that every item has one place. */
export function newestFirst(left: Position, right: Position): number {
  if (left.createdAt !== right.createdAt) return right.createdAt - left.createdAt;
  return left.id < right.id ? 1 : left.id > right.id ? -1 : 0;
}

/** Reads a list page by page, each when it is needed. */
export async function* pagesOf<Item>(
  read: (after: Position | null) => Promise<Page<Item>>,
): AsyncGenerator<Item[]> {
  let after: Position | null = null;
  do {
    const { items, next }: Page<Item> = await read(after);
    yield items;
    after = next;
  } while (after !== null);
}
