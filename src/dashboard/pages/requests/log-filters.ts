import * as z from "zod";
import type { ListRequests } from "../../../client/webhooks.ts";
import { requestStatus } from "../../../contract/inbound/log.ts";
import { type Faults, faultsByIssues, NO_FAULTS } from "../../forms/errors.tsx";
import { typedMoment } from "../../forms/posted.ts";

const filters = z.object({
  status: z.array(requestStatus),
  duplicate: z.enum(["true", "false"]).optional(),
  receivedAfter: typedMoment.optional(),
  receivedBefore: typedMoment.optional(),
});

/** What of a log is shown, as it stands in the address of the page. */
export interface LogView {
  /** Values as they were typed, for the form and for the addresses of other pages. */
  typed: { status: string[]; duplicate: string; receivedAfter: string; receivedBefore: string };
  /** The same for the API; only without faults. */
  query: ListRequests;
  faults: Faults;
  cursor: string | null;
  /** Whether the reader has stopped new entries from coming in. */
  isPaused: boolean;
}

/** Reads the query of the page's address. A field that was left empty filters nothing. */
export function logViewOf(search: URLSearchParams): LogView {
  const text = (name: string) => search.get(name)?.trim() ?? "";
  const typed = {
    status: [...new Set(search.getAll("status").filter((status) => status !== ""))],
    duplicate: text("duplicate"),
    receivedAfter: text("receivedAfter"),
    receivedBefore: text("receivedBefore"),
  };
  const cursor = text("cursor") || null;
  const view = { typed, cursor, isPaused: text("live") === "off" };
  const read = filters.safeParse({
    status: typed.status,
    duplicate: typed.duplicate || undefined,
    receivedAfter: typed.receivedAfter || undefined,
    receivedBefore: typed.receivedBefore || undefined,
  });
  if (!read.success) return { ...view, query: {}, faults: faultsByIssues(read.error.issues) };
  const { status, duplicate, receivedAfter, receivedBefore } = read.data;
  const query: ListRequests = {
    status,
    ...(duplicate !== undefined && { duplicate: duplicate === "true" }),
    ...(receivedAfter !== undefined && { receivedAfter }),
    ...(receivedBefore !== undefined && { receivedBefore }),
    ...(cursor !== null && { cursor }),
  };
  return { ...view, query, faults: NO_FAULTS };
}

export function isFiltered({ typed }: LogView): boolean {
  const { status, ...others } = typed;
  return status.length > 0 || Object.values(others).some((text) => text !== "");
}

/** Whether what is shown may still change: an older page stays what it is. */
export function isLive({ cursor, isPaused }: LogView): boolean {
  return cursor === null && !isPaused;
}

/** The query of an address that shows the same, with these changes. */
export function searchOf(
  { typed, cursor, isPaused }: LogView,
  changes: { cursor?: string | null; isPaused?: boolean; seen?: string } = {},
): string {
  const { status, ...others } = typed;
  const shown = { cursor, isPaused, ...changes };
  const search = new URLSearchParams(status.map((one) => ["status", one]));
  for (const [name, text] of Object.entries(others)) if (text !== "") search.set(name, text);
  if (shown.cursor !== null) search.set("cursor", shown.cursor);
  if (shown.isPaused) search.set("live", "off");
  if (changes.seen !== undefined) search.set("seen", changes.seen);
  return search.size === 0 ? "" : `?${search}`;
}
