import type { UsageBucket } from "../contract/usage.ts";

/** A page of a list: `cursor` is the previous page's `nextCursor`. */
export interface PageQuery {
  limit?: number;
  cursor?: string;
}

/** A page: the items in the field of their name, and the cursor of the next page. */
export type Page<Name extends string, Item> = Record<Name, Item[]> & { nextCursor: string | null };

/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface RepeatableOptions extends CallOptions {
  /** Repeating a call with the same key and body has no further effect and returns the same response. */
  idempotencyKey?: string | undefined;
}

/** Iterates over the items of all pages, which it reads on demand; `name` is the field that has them. */
export async function* eachItem<Name extends string, Item>(
  name: Name,
  read: (place: PageQuery) => Promise<Page<Name, Item>>,
): AsyncGenerator<Item, void, void> {
  for (let place: PageQuery = {}; ; ) {
    const page = await read(place);
    yield* page[name];
    if (page.nextCursor === null) return;
    place = { cursor: page.nextCursor };
  }
}

/** A range of whole UTC hours or days (default: the last 24 hours or 30 days). */
export interface UsageQuery {
  /** ISO 8601. */
  from?: string;
  to?: string;
  bucket?: UsageBucket;
}
