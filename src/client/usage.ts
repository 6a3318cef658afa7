import type { UsageBucket } from "../contract/usage.ts";

/** A range of whole hours or days of UTC; without one, the last 24 hours or 30 days. */
export interface UsageQuery {
  /** ISO 8601. */
  from?: string;
  to?: string;
  bucket?: UsageBucket;
}
