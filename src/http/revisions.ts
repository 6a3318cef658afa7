import type * as z from "zod";
import type { Authorized } from "../contract/account.ts";
import type { By } from "../contract/actor.ts";
import { KEPT_REVISIONS, type RevisionStamp, reviserOf } from "../contract/revision.ts";
import { firstOf } from "../lib/pages.ts";
import {
  type Revised,
  RevisionUnavailable,
  selectRevisions,
  settingsAt,
} from "../records/revisions.ts";
import type { Http } from "./context.ts";
import type { Named, NamedBody, NamedKind } from "./external.ts";
import { invalidCursor, listRoute } from "./list.ts";
import { callWithRetry, HttpProblem, invalidByIssues, notFound } from "./problem.ts";
import type { ResourceKind } from "./resource.ts";
import { jsonResponse, type Route, route } from "./route.ts";

/** A kind of resource with revisions: how they are read and restored. */
interface RevisedKind<
  Found extends { createdAt: number },
  Settings extends RevisionStamp,
  Content,
  Shown extends Named,
  Update,
> extends ResourceKind<Authorized, Shown>,
    Pick<NamedKind<Found, NamedBody, z.ZodType<Update>, Shown>, "existing" | "change"> {
  item: z.ZodType<{ revision: number; createdAt: string; by: By | null; content: Content }>;
  /** What restoring does with secrets. */
  secrets: string;
  revised(found: Found): Omit<Revised<Settings>, "accountId">;
  contentOf(settings: Settings): Content;
  /** Returns the change that gives a resource these settings, with the secrets that it has. */
  restoring(content: Content, current: Found): Update;
}

/** Makes the routes that list and restore the revisions of a kind of resource. */
export function revisionRoutes<
  Found extends { createdAt: number },
  Settings extends RevisionStamp,
  Content,
  Shown extends Named,
  Update,
>(kind: RevisedKind<Found, Settings, Content, Shown, Update>): Route[] {
  const { path, name, one, id, reader, saved = kind.record, existing } = kind;
  const idIn = (http: Http) => http.req.param(id) ?? "";

  const list = listRoute(`${path}/:${id}/revisions`, {
    operationId: `list${name}Revisions`,
    summary: `List the revisions of ${one}`,
    description: `Returns the settings of ${one} as they are and as they were, newest first, without secrets. The current revision and the ${KEPT_REVISIONS} before it are kept.`,
    auth: reader,
    items: "revisions",
    page: `${name}RevisionPage`,
    item: kind.item,
    async read({ http, caller: { accountId }, query: { limit } }, after) {
      const found = await existing(http, accountId, idIn(http));
      const { resourceId, current, parse } = kind.revised(found);
      const before = after === null ? current.revision : Number(after.id);
      if (!Number.isSafeInteger(before)) throw invalidCursor();
      // One more than requested shows whether there is a next page.
      const range = { before: Math.min(before, current.revision), limit: limit + 1 };
      const archived = await callWithRetry(() =>
        selectRevisions(http.env.DB, accountId, resourceId, range),
      );
      const earlier = archived.map(({ content }) => parse(content));
      const all = after === null ? [current, ...earlier] : earlier;
      const { items, next } = firstOf(all, limit, ({ revision, revisedAt }) => ({
        createdAt: revisedAt ?? 0,
        id: String(revision),
      }));
      const shown = items.map((settings) => ({
        revision: settings.revision,
        // Settings without a time of their own have that of the resource.
        createdAt: new Date(settings.revisedAt ?? found.createdAt).toISOString(),
        by: reviserOf(settings),
        content: kind.contentOf(settings),
      }));
      return { items: shown, next };
    },
  });

  const restore = route("POST", `${path}/:${id}/revisions/:revision/restore`, {
    operationId: `restore${name}Revision`,
    summary: `Restore a revision of ${one}`,
    description: `Makes a new revision with the settings of an earlier one. ${kind.secrets}`,
    auth: kind.writer ?? reader,
    response: jsonResponse(200, `The ${one.replace(/^an? /, "")}.`, saved),
    problems: ["gone", "conflict"],
    async handler({ http, caller }) {
      const { accountId } = caller;
      const found = await existing(http, accountId, idIn(http));
      const revised = { accountId, ...kind.revised(found) };
      const revision = Number(http.req.param("revision"));
      const settings = await readRevision(() => settingsAt(http.env.DB, revised, revision));
      const body = kind.restoring(kind.contentOf(settings), found);
      return { value: (await kind.change(http, caller, idIn(http), body, null)).value };
    },
  });

  return [list, restore];
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
