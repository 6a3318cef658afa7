import * as z from "zod";
import type { ListExecutions } from "../../../client/executions.ts";
import { executionStatus, origin } from "../../../contract/execution.ts";
import { type Faults, faultsByIssues, NO_FAULTS } from "../../forms/errors.tsx";
import { typedMoment } from "../../forms/posted.ts";
import { EXECUTIONS } from "../../paths.ts";

const filters = z.object({
  status: z.array(executionStatus),
  origin: z.array(origin),
  workflowId: z.string().max(100).optional(),
  createdAfter: typedMoment.optional(),
  createdBefore: typedMoment.optional(),
});

/** What of the list is shown, as it stands in the address of the page. */
export interface ListView {
  /** Values as they were typed, for the form and for the addresses of other pages. */
  typed: {
    status: string[];
    origin: string[];
    workflowId: string;
    createdAfter: string;
    createdBefore: string;
  };
  /** The same for the API; only without faults. */
  query: ListExecutions;
  faults: Faults;
  cursor: string | null;
}

/** Reads the query of the page's address. A field that was left empty filters nothing. */
export function listViewOf(search: URLSearchParams): ListView {
  const text = (name: string) => search.get(name)?.trim() ?? "";
  const several = (name: string) => [...new Set(search.getAll(name).filter((one) => one !== ""))];
  const typed = {
    status: several("status"),
    origin: several("origin"),
    workflowId: text("workflowId"),
    createdAfter: text("createdAfter"),
    createdBefore: text("createdBefore"),
  };
  const cursor = text("cursor") || null;
  const given = Object.entries(typed).filter(([, value]) => value !== "");
  const read = filters.safeParse(Object.fromEntries(given));
  if (!read.success) {
    return { typed, cursor, query: {}, faults: faultsByIssues(read.error.issues) };
  }
  const { workflowId, createdAfter, createdBefore, ...lists } = read.data;
  const query: ListExecutions = {
    ...lists,
    ...(workflowId !== undefined && { workflowId }),
    ...(createdAfter !== undefined && { createdAfter }),
    ...(createdBefore !== undefined && { createdBefore }),
    ...(cursor !== null && { cursor }),
  };
  return { typed, cursor, query, faults: NO_FAULTS };
}

export function isFiltered({ typed }: ListView): boolean {
  return Object.values(typed).some((value) => value.length > 0);
}

/** The address of the page that shows the same from this place on. */
export function listPath({ typed }: ListView, cursor: string | null): string {
  const { status, origin: origins, ...texts } = typed;
  const search = new URLSearchParams([
    ...status.map((one) => ["status", one]),
    ...origins.map((one) => ["origin", one]),
    ...Object.entries(texts).filter(([, text]) => text !== ""),
    ...(cursor === null ? [] : [["cursor", cursor]]),
  ]);
  return search.size === 0 ? EXECUTIONS : `${EXECUTIONS}?${search}`;
}
