import type { UsageBucket } from "../contract/usage.ts";

/** A query of a list: `cursor` is the `nextCursor` of the page before. */
export interface Paging {
  limit?: number;
  cursor?: string;
}

/** Of every call: what gives it up. */
export interface Abortable {
  signal?: AbortSignal | undefined;
}

/** Page after page, read as they are asked for. */
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

/** A range of whole hours or days of UTC; without one, the last 24 hours or 30 days. */
export interface UsageQuery {
  /** ISO 8601. */
  from?: string;
  to?: string;
  bucket?: UsageBucket;
}
