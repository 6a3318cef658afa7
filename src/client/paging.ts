import type { UsageBucket } from "../contract/usage.ts";

/** A page of a list: `cursor` is the previous page's `nextCursor`. */
export interface PageQuery {
  limit?: number;
  cursor?: string;
}

/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** Reads pages on demand. */
export async function* eachPage<Page extends { nextCursor: string | null }>(
  read: (place: { cursor?: string }) => Promise<Page>,
): AsyncGenerator<Page, void, void> {
  for (let place: { cursor?: string } = {}; ; ) {
    const page = await read(place);
    yield page;
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
