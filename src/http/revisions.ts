import type * as z from "zod";
import { KEPT_REVISIONS, type RevisionStamp } from "../contract/revision.ts";
import { type ArchivedRevision, loadRevision, selectRevisions } from "../records/revisions.ts";
import { callWithRetry } from "./call-with-retry.ts";
import type { Http } from "./context.ts";
import { firstOf, type ListPage, type Position } from "./list.ts";
import { HttpProblem, invalid, invalidByIssues, notFound } from "./problem.ts";
import { wholeNumber } from "./query.ts";

/** The number of a revision in a path. */
export const revisionParam = wholeNumber(1, 999_999_999).describe("The number of the revision.");

/** A workflow or an endpoint whose revisions are read. */
export interface Revised<Settings extends RevisionStamp> {
  accountId: string;
  resourceId: string;
  /** The settings of today. */
  current: Settings;
  /** Reads the settings of an earlier revision. Throws if they cannot be read. */
  parse(content: string): Settings;
}

/** A revision as the API shows it. */
export interface ShownRevision<Content> {
  revision: number;
  createdAt: string;
  changedBy: string | null;
  content: Content;
}

/** Returns a page of revisions, the newest first. */
export async function revisionPage<Settings extends RevisionStamp>(
  http: Http,
  { accountId, resourceId, current, parse }: Revised<Settings>,
  limit: number,
  after: Position | null,
): Promise<ListPage<Settings>> {
  const before = after === null ? current.revision : Number(after.id);
  if (!Number.isSafeInteger(before)) {
    throw invalid("cursor", "cursor", "must be a `nextCursor` of this list");
  }
  const archived = await callWithRetry(() =>
    selectRevisions(http.env.DB, accountId, resourceId, {
      before: Math.min(before, current.revision),
      // One more than requested shows whether there is a next page.
      limit: limit + 1,
    }),
  );
  const earlier = archived.map((row: ArchivedRevision) => parse(row.content));
  return firstOf(after === null ? [current, ...earlier] : earlier, limit, (settings) => ({
    createdAt: settings.revisedAt ?? 0,
    id: String(settings.revision),
  }));
}

/**
 * Returns the settings of a revision. Throws a 404 for one that there never was, and a 410 for one that is
 * no longer kept.
 */
export async function settingsAt<Settings extends RevisionStamp>(
  http: Http,
  { accountId, resourceId, current, parse }: Revised<Settings>,
  revision: number,
): Promise<Settings> {
  if (revision === current.revision) return current;
  if (revision > current.revision) throw notFound();
  const content = await callWithRetry(() =>
    loadRevision(http.env.DB, accountId, resourceId, revision),
  );
  if (content === null) throw new HttpProblem("gone", prunedText(resourceId, revision));
  return parse(content);
}

/** Returns why a revision that there was cannot be read. */
function prunedText(resourceId: string, revision: number): string {
  return `Revision ${revision} of ${resourceId} is no longer kept: only the current one and the ${KEPT_REVISIONS} before it are.`;
}

/** Returns the change that restores settings. Throws a 400 for settings that are no longer valid. */
export function restoredBody<Body>(body: z.ZodType<Body>, settings: object): Body {
  const parsed = body.safeParse(settings);
  if (!parsed.success) throw invalidByIssues("revision", parsed.error.issues);
  return parsed.data;
}

/** Returns a revision as the API shows it; `since` is the time of settings without a time of their own. */
export function shownRevision<Content>(
  { revision, revisedAt, revisedBy }: RevisionStamp,
  content: Content,
  since: number,
): ShownRevision<Content> {
  const createdAt = new Date(revisedAt ?? since).toISOString();
  return { revision, createdAt, changedBy: revisedBy, content };
}
