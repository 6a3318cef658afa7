import * as z from "zod";
import type { Authorized } from "../contract/account.ts";
import type { By } from "../contract/actor.ts";
import { KEPT_REVISIONS, type RevisionStamp, reviserOf } from "../contract/revision.ts";
import {
  type ArchivedRevision,
  type Revised,
  RevisionUnavailable,
  settingsAt as readSettings,
  selectRevisions,
} from "../records/revisions.ts";
import type { Authentication } from "./authentication.ts";
import { callWithRetry } from "./call-with-retry.ts";
import type { Http } from "./context.ts";
import { firstOf, type ListPage, listRoute, type Position } from "./list.ts";
import type { Tag } from "./openapi/tags.ts";
import { HttpProblem, invalid, invalidByIssues, notFound } from "./problem.ts";
import { wholeNumber } from "./query.ts";
import { type jsonResponse, type Route, route } from "./route.ts";

/** The number of a revision in a path. */
const revisionParam = wholeNumber(1, 999_999_999).describe("The number of the revision.");

/** A revision as the API shows it. */
export interface ShownRevision<Content> {
  revision: number;
  createdAt: string;
  by: By | null;
  content: Content;
}

/** A kind of resource with revisions: what its routes are called, and how they read and restore it. */
interface RevisedKind<
  Id extends z.ZodType<string>,
  Found,
  Settings extends RevisionStamp,
  Content,
> {
  /** The path of the API of the resource. */
  path: string;
  tag: Tag;
  /** `Endpoint` in names of the API document, `an endpoint` in its sentences. */
  name: string;
  one: string;
  id: { name: string; schema: Id };
  reader: Authentication<Authorized>;
  writer: Authentication<Authorized>;
  item: z.ZodType<ShownRevision<Content>>;
  example: ShownRevision<Content>;
  restoration: {
    /** What restoring does with secrets. */
    secrets: string;
    response: ReturnType<typeof jsonResponse>;
    /** Changes the resource to earlier settings; returns what the response shows. */
    apply(http: Http, caller: Authorized, id: string, settings: Settings): Promise<unknown>;
  };
  /** Returns a resource of the account. Throws a 404 for none. */
  find(http: Http, accountId: string, id: string): Promise<Found>;
  revised(accountId: string, found: Found): Revised<Settings>;
  shown(settings: Settings, found: Found): ShownRevision<Content>;
}

/** Makes the routes that list and restore the revisions of a kind of resource. */
export function revisionRoutes<
  Id extends z.ZodType<string>,
  Found,
  Settings extends RevisionStamp,
  Content,
>(kind: RevisedKind<Id, Found, Settings, Content>): Route[] {
  const { tag, name, one, id, reader, item, example, find, revised, shown, restoration } = kind;
  const params = z.object({ [id.name]: id.schema });
  const revisionParams = params.extend({ revision: revisionParam });
  const idIn = (given: Record<string, unknown>): string => id.schema.parse(given[id.name]);
  const path = `${kind.path}/:${id.name}/revisions`;

  const list = listRoute({
    path,
    operationId: `list${name}Revisions`,
    tag,
    summary: `List the revisions of ${one}`,
    description: `Returns the settings of ${one} as they are and as they were, newest first, without secrets. The current revision and the ${KEPT_REVISIONS} before it are kept.`,
    auth: reader,
    params,
    items: "revisions",
    page: `${name}RevisionPage`,
    item,
    example,
    problems: ["not_found"],
    async read({ http, caller: { accountId }, params: given, query: { limit } }, after) {
      const found = await find(http, accountId, idIn(given));
      const page = await revisionPage(http, revised(accountId, found), limit, after);
      return { ...page, items: page.items.map((settings) => shown(settings, found)) };
    },
  });

  const restore = route({
    method: "POST",
    path: `${path}/:revision/restore`,
    operationId: `restore${name}Revision`,
    tag,
    summary: `Restore a revision of ${one}`,
    description: `Makes a new revision with the settings of an earlier one. ${restoration.secrets}`,
    auth: kind.writer,
    params: revisionParams,
    response: restoration.response,
    problems: ["not_found", "gone", "conflict", "unavailable"],
    async handler({ http, caller, params: given }) {
      const found = await find(http, caller.accountId, idIn(given));
      const settings = await settingsAt(
        http,
        revised(caller.accountId, found),
        Number(given.revision),
      );
      return { value: await restoration.apply(http, caller, idIn(given), settings) };
    },
  });

  return [list, restore];
}

/** Returns a page of revisions, the newest first. */
async function revisionPage<Settings extends RevisionStamp>(
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

/** Returns the settings of a revision. Throws the problem of one that cannot be read. */
function settingsAt<Settings extends RevisionStamp>(
  http: Http,
  revised: Revised<Settings>,
  revision: number,
): Promise<Settings> {
  return readRevision(() => readSettings(http.env.DB, revised, revision));
}

/** Reads something of a revision. Throws the problem of one that cannot be read. */
export async function readRevision<Found>(read: () => Promise<Found>): Promise<Found> {
  const found = await callWithRetry(() =>
    read().catch((error: unknown) => {
      if (error instanceof RevisionUnavailable) return error;
      throw error;
    }),
  );
  if (!(found instanceof RevisionUnavailable)) return found;
  throw found.code === "not_found" ? notFound() : new HttpProblem(found.code, found.message);
}

/** Returns the change that restores settings. Throws a 400 for settings that are no longer valid. */
export function restoredBody<Body>(body: z.ZodType<Body>, settings: object): Body {
  const parsed = body.safeParse(settings);
  if (!parsed.success) throw invalidByIssues("revision", parsed.error.issues);
  return parsed.data;
}

/** Returns a revision as the API shows it; `since` is the time of settings without a time of their own. */
export function shownRevision<Content>(
  stamp: RevisionStamp,
  content: Content,
  since: number,
): ShownRevision<Content> {
  const createdAt = new Date(stamp.revisedAt ?? since).toISOString();
  return { revision: stamp.revision, createdAt, by: reviserOf(stamp), content };
}
