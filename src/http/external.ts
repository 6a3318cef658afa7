import * as z from "zod";
import type { Authorized } from "../contract/account.ts";
import { closed } from "../contract/fields.ts";
import { externalId } from "../contract/managed.ts";
import type { Authentication } from "./authentication.ts";
import { jsonBody } from "./body.ts";
import type { Http } from "./context.ts";
import { etag, ifMatch, versionMismatch } from "./headers.ts";
import type { Tag } from "./openapi/tags.ts";
import { HttpProblem, invalid, notFound } from "./problem.ts";
import { jsonResponse, noContent, type Route, route } from "./route.ts";

const params = z.object({ externalId });
const dryRun = z
  .enum(["true", "false"])
  .default("false")
  .transform((text) => text === "true")
  .describe("Whether to check and answer without storing anything.");
const query = closed({ dryRun }, "parameter");

/** How settings are put under an external id. */
export interface Application {
  /** The revision that must be the current one; null for any. */
  ifMatch: number | null;
  /** Nothing is stored. */
  dryRun: boolean;
}

type NamedBody = z.ZodType<{ externalId?: string | null | undefined }>;

/** A kind of resource that can be kept under an external id. */
interface ExternalKind<Found, Body extends NamedBody, Shown extends { revision: number }> {
  path: string;
  tag: Tag;
  /** `Endpoint` in names of the API document, `an endpoint` in its sentences. */
  name: string;
  one: string;
  reader: Authentication<Authorized>;
  writer: Authentication<Authorized>;
  body: Body;
  bodyExample: z.input<Body>;
  record: z.ZodType<Shown>;
  /** The record after it was put. */
  saved: z.ZodObject;
  example: Shown;
  /** Returns the resource of the account with this external id, or null. */
  find(http: Http, accountId: string, externalId: string): Promise<Found | null>;
  shown(http: Http, found: Found): Promise<Shown>;
  create(
    http: Http,
    caller: Authorized,
    body: z.output<Body> & { externalId: string },
    application: Application,
  ): Promise<Shown>;
  /** Gives it the settings of the body and no others, if that changes anything. */
  replace(
    http: Http,
    caller: Authorized,
    found: Found,
    body: z.output<Body>,
    application: Application,
  ): Promise<{ value: Shown; changed: boolean }>;
  remove(http: Http, caller: Authorized, found: Found): Promise<void>;
}

/** Makes the routes that read, put and delete a kind of resource by its external id. */
export function externalRoutes<Found, Body extends NamedBody, Shown extends { revision: number }>(
  kind: ExternalKind<Found, Body, Shown>,
): Route[] {
  const { tag, name, one, reader, writer, record, saved, example, find, shown } = kind;
  const path = `${kind.path}/ext/:externalId`;
  const isChanged = z.boolean().describe("Whether anything changed, or would change.");
  const schema = saved.extend({ changed: isChanged }).meta({ id: `${name}Applied` });
  const appliedExample = schema.parse({ ...example, changed: true });

  function applied(value: Shown, changed: boolean, status: 200 | 201): Response {
    const headers = { ETag: etag(value.revision) };
    return Response.json({ ...value, changed }, { status, headers });
  }

  async function existing(http: Http, { accountId }: Authorized, id: string): Promise<Found> {
    const found = await find(http, accountId, id);
    if (found === null) throw notFound();
    return found;
  }

  return [
    route({
      method: "GET",
      path,
      operationId: `get${name}ByExternalId`,
      tag,
      summary: `Get ${one} by its external id`,
      description: `Returns ${one} by the name that you gave it.`,
      auth: reader,
      params,
      response: jsonResponse(200, "The settings.", record, example),
      problems: ["not_found"],
      async handler({ http, caller, params: given }) {
        return { value: await shown(http, await existing(http, caller, given.externalId)) };
      },
    }),
    route({
      method: "PUT",
      path,
      operationId: `put${name}`,
      tag,
      summary: `Create or replace ${one} by its external id`,
      description: `Gives ${one} the settings of the body. A field that you leave out gets its default, and the same body again changes nothing. \`If-Match\` names the revision to replace, \`"0"\` for none.`,
      auth: writer,
      params,
      query,
      body: jsonBody(kind.body, kind.bodyExample),
      requestHeaders: ["If-Match"],
      responseHeaders: ["ETag"],
      response: jsonResponse(200, "It exists with these settings.", schema, appliedExample),
      otherResponses: [jsonResponse(201, "It was created.", schema, appliedExample)],
      problems: ["conflict", "version_mismatch", "unavailable"],
      async handler({ http, caller, params: given, query: { dryRun: isDry }, body }) {
        const match = ifMatch(http.req.header("If-Match"));
        const { externalId: id } = given;
        if ((body.externalId ?? id) !== id)
          throw invalid("externalId", "external_id", "must be that of the address, or left out");
        const application = { ifMatch: match, dryRun: isDry };
        const found = await find(http, caller.accountId, id);
        if (found === null) {
          assertRevision(match, 0);
          const value = await kind.create(http, caller, { ...body, externalId: id }, application);
          return applied(value, true, isDry ? 200 : 201);
        }
        const { value, changed } = await kind.replace(http, caller, found, body, application);
        return applied(value, changed, 200);
      },
    }),
    route({
      method: "DELETE",
      path,
      operationId: `delete${name}ByExternalId`,
      tag,
      summary: `Delete ${one} by its external id`,
      description: `Deletes ${one}, as its own address does.`,
      auth: writer,
      params,
      requestHeaders: ["If-Match"],
      response: noContent("It is deleted."),
      problems: ["not_found", "version_mismatch", "unavailable"],
      async handler({ http, caller, params: given }) {
        const found = await existing(http, caller, given.externalId);
        const { revision } = await shown(http, found);
        assertRevision(ifMatch(http.req.header("If-Match")), revision);
        await kind.remove(http, caller, found);
        return { value: undefined };
      },
    }),
  ];
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
  return new HttpProblem("conflict", `The external id ${id} is already taken.`, {
    errors: [{ path: "externalId", rule: "unique", message: "is already taken" }],
  });
}
