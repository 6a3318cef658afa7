import * as z from "zod";
import type { Authorized } from "../contract/account.ts";
import type { ProblemCode } from "../contract/problem.ts";
import type { Page, Position } from "../lib/pages.ts";
import type { Http } from "./context.ts";
import { etag, ifMatch, versionMismatch } from "./headers.ts";
import { parameters } from "./params.ts";
import { conflict, foundOr404, HttpProblem, invalid } from "./problem.ts";
import { type ResourceKind, resource } from "./resource.ts";
import { jsonBody, jsonResponse, noContent, type Route, route } from "./route.ts";

const dryRun = z
  .enum(["true", "false"])
  .default("false")
  .transform((text) => text === "true")
  .describe("Whether to check and answer without storing anything.");
const query = parameters({ dryRun });

/** How settings are put under an external id. */
export interface Application {
  /** The revision that must be the current one; null for any. */
  ifMatch: number | null;
  /** Nothing is stored. */
  dryRun: boolean;
}

/** What all of these resources show. */
export type Named = { revision: number; createdAt: string };
export type NamedBody = z.ZodType<{ externalId?: string | null | undefined }>;

/** A kind of resource that can be kept under an external id. */
export interface NamedKind<
  Found,
  Body extends NamedBody,
  Update extends z.ZodType,
  Shown extends Named,
> extends ResourceKind<Authorized, Shown> {
  saved: z.ZodObject & z.ZodType<Shown>;
  body: Body;
  bodyExample: z.input<Body>;
  update: Update;
  updateExample: z.input<Update>;
  /** What the usual routes do. */
  descriptions: Record<"create" | "list" | "get" | "update" | "remove", string>;
  /** Whether creating or changing one can lead to a callback. */
  sendsCallback?: boolean;
  idOf(found: Found): string;
  /** Returns the resource of the account with an id. Throws a 404 for none. */
  existing(http: Http, accountId: string, id: string): Promise<Found>;
  /** Returns the resource of the account with an external id, or null. */
  find(http: Http, accountId: string, externalId: string): Promise<Found | null>;
  /** Returns at most `limit` of the account's resources after a position, the newest first. */
  page(http: Http, caller: Authorized, limit: number, after: Position | null): Promise<Page<Shown>>;
  shown(http: Http, found: Found): Promise<Shown>;
  /** Returns all that the route of one resource shows, if that is more. */
  detailed?(http: Http, caller: Authorized, found: Found): Promise<Shown>;
  create(
    http: Http,
    caller: Authorized,
    body: z.output<Body>,
    application: Pick<Application, "dryRun">,
  ): Promise<Shown>;
  /** Changes fields. What is put under an external id is stored only if that changes anything. */
  change(
    http: Http,
    caller: Authorized,
    id: string,
    body: z.output<Update>,
    application: Application | null,
  ): Promise<{ value: Shown; changed: boolean }>;
  /** Returns the change that gives a resource the settings of the body and no others. */
  replacement(body: z.output<Body>, found: Found): z.output<Update>;
  remove(http: Http, caller: Authorized, found: Found): Promise<void>;
}

/** Makes the routes of a kind of resource: those by its id, and those by its external id. */
export function namedRoutes<
  Found,
  Body extends NamedBody,
  Update extends z.ZodType,
  Shown extends Named,
>(kind: NamedKind<Found, Body, Update, Shown>): Route[] {
  const { existing, descriptions, body, bodyExample, sendsCallback = false } = kind;
  const { name, one, reader, writer = reader, record, saved, find, shown } = kind;
  const of = resource(kind);
  const path = `${kind.path}/ext/:externalId` as const;
  const isChanged = z.boolean().describe("Whether anything changed, or would change.");
  const schema = saved.extend({ changed: isChanged }).meta({ id: `${name}Applied` });

  function applied(value: Shown, changed: boolean, status: 200 | 201): Response {
    const headers = { ETag: etag(value.revision) };
    return Response.json({ ...value, changed }, { status, headers });
  }

  const named = async (http: Http, { accountId }: Authorized, id: string) =>
    foundOr404(await find(http, accountId, id));

  return [
    // Those by an external id, before those whose id is any word.
    route("GET", path, {
      operationId: `get${name}ByExternalId`,
      summary: `Get ${one} by its external id`,
      description: `Returns ${one} by the name that you gave it.`,
      auth: reader,
      responseHeaders: ["ETag"],
      response: jsonResponse(200, "The settings.", record),
      async handler({ http, caller, params: { externalId } }) {
        const value = await shown(http, await named(http, caller, externalId));
        return { value, headers: { ETag: etag(value.revision) } };
      },
    }),
    route("PUT", path, {
      operationId: `put${name}`,
      summary: `Create or replace ${one} by its external id`,
      description: `Gives ${one} the settings of the body. A field that you leave out gets its default, and the same body again changes nothing. \`If-Match\` names the revision to replace, \`"0"\` for none.`,
      auth: writer,
      query,
      body: jsonBody(kind.body, kind.bodyExample),
      requestHeaders: ["If-Match"],
      responseHeaders: ["ETag"],
      response: jsonResponse(200, "It exists with these settings.", schema),
      otherResponses: [jsonResponse(201, "It was created.", schema)],
      problems: ["conflict", "version_mismatch"],
      async handler({ http, caller, params: { externalId }, query: { dryRun: isDry }, body }) {
        const match = ifMatch(http.req.header("If-Match"));
        if ((body.externalId ?? externalId) !== externalId)
          throw invalid("externalId", "external_id", "must be that of the address, or left out");
        const application = { ifMatch: match, dryRun: isDry };
        return againIfOvertaken(async () => {
          const found = await find(http, caller.accountId, externalId);
          if (found === null) {
            assertRevision(match, 0);
            const value = await kind.create(http, caller, { ...body, externalId }, application);
            return applied(value, true, isDry ? 200 : 201);
          }
          const change = kind.replacement(body, found);
          const id = kind.idOf(found);
          const { value, changed } = await kind.change(http, caller, id, change, application);
          return applied(value, changed, 200);
        });
      },
    }),
    route("DELETE", path, {
      operationId: `delete${name}ByExternalId`,
      summary: `Delete ${one} by its external id`,
      description: `Deletes ${one}, as its own address does.`,
      auth: writer,
      requestHeaders: ["If-Match"],
      response: noContent("It is deleted."),
      problems: ["version_mismatch"],
      async handler({ http, caller, params: { externalId } }) {
        const found = await named(http, caller, externalId);
        const { revision } = await shown(http, found);
        assertRevision(ifMatch(http.req.header("If-Match")), revision);
        await kind.remove(http, caller, found);
        return { value: undefined };
      },
    }),
    of.create({
      description: descriptions.create,
      body,
      bodyExample,
      sendsCallback,
      handler: (asked) => kind.create(asked.http, asked.caller, asked.body, { dryRun: false }),
    }),
    of.pages(descriptions.list, ({ http, caller, query: { limit } }, after) =>
      kind.page(http, caller, limit, after),
    ),
    of.get(descriptions.get, async ({ http, caller, id }) => {
      const found = await existing(http, caller.accountId, id);
      return kind.detailed?.(http, caller, found) ?? kind.shown(http, found);
    }),
    of.update({
      description: descriptions.update,
      body: kind.update,
      bodyExample: kind.updateExample,
      sendsCallback,
      handler: async (asked) =>
        (await kind.change(asked.http, asked.caller, asked.id, asked.body, null)).value,
    }),
    of.remove(descriptions.remove, async ({ http, caller, id }) => {
      await kind.remove(http, caller, await existing(http, caller.accountId, id));
      return true;
    }),
  ];
}

/** The problems of a change that others overtook by creating, changing or deleting the same resource. */
const OVERTAKEN: ProblemCode[] = ["conflict", "not_found", "version_mismatch"];
const MAX_TRIES = 3;

/** Makes a change, and again if others overtook it: what is there by then decides how it ends. */
async function againIfOvertaken<Answer>(change: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await change();
    } catch (error) {
      const isOvertaken = error instanceof HttpProblem && OVERTAKEN.includes(error.code);
      if (!isOvertaken || tries === MAX_TRIES) throw error;
    }
  }
}

/** Throws a 412 unless the revision is the one that the caller knows; null is any, 0 none. */
export function assertRevision(wanted: number | null, revision: number): void {
  if (wanted !== null && wanted !== revision) throw versionMismatch(revision);
}

/** Throws a 409 for a new external id that another resource of the account has. */
export async function assertFree(
  id: string | null,
  known: string | null,
  find: (externalId: string) => Promise<unknown>,
): Promise<void> {
  if (id !== null && id !== known && (await find(id)) !== null) throw externalIdTaken(id);
}

/** Returns the 409 of an external id that another resource of the account has. */
export function externalIdTaken(id: string): HttpProblem {
  return conflict(`The external id ${id} is already taken.`, [
    { path: "externalId", rule: "unique", message: "is already taken" },
  ]);
}

/**
 * Returns the fields that a change names and that have a default: null becomes the default. What it leaves
 * out stays as it is.
 */
export function changedFields<Change extends object, Defaults extends object>(
  change: Change,
  defaults: Defaults,
): {
  [Name in keyof Change & keyof Defaults]?: NonNullable<Change[Name]> | Defaults[Name];
};
export function changedFields(change: object, defaults: object): object {
  const given = new Map<string, unknown>(Object.entries(change));
  const named = Object.entries(defaults).filter(([name]) => given.get(name) !== undefined);
  return Object.fromEntries(named.map(([name, usual]) => [name, given.get(name) ?? usual]));
}

/** Returns the fields of a value that a record has, in the order of its schema. */
export function shownFields<Value extends object, Shape extends z.core.$ZodShape>(
  record: z.ZodObject<Shape>,
  value: Value,
): Pick<Value, keyof Value & keyof Shape>;
export function shownFields(record: z.ZodObject, value: object): object {
  const known = new Map<string, unknown>(Object.entries(value));
  const names = Object.keys(record.shape).filter((name) => known.has(name));
  return Object.fromEntries(names.map((name) => [name, known.get(name)]));
}

/** Returns the fields of a value that are not null, which records leave out. */
export function withoutNull<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], null> };
export function withoutNull(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Returns a list, or null for an empty one. */
export const someOf = <Item>(list: Item[]) => (list.length > 0 ? list : null);
