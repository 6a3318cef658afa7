import * as z from "zod";
import type { AccountApi, Authorized } from "../contract/account.ts";
import type { Actor } from "../contract/actor.ts";
import type { AddReply } from "../contract/connections.ts";
import { accountStub } from "../durable/stubs.ts";
import { bytesForBase62, randomBase62 } from "../lib/encoding.ts";
import { actorOf } from "./actor.ts";
import type { Authentication } from "./authentication.ts";
import { jsonBody } from "./body.ts";
import { callOnce, callWithRetry } from "./call-with-retry.ts";
import type { Http } from "./context.ts";
import { type ListPage, listRoute, type Position, pageOf } from "./list.ts";
import type { Tag } from "./openapi/tags.ts";
import { HttpProblem, notFound } from "./problem.ts";
import { type Call, jsonResponse, noContent, type Route, route } from "./route.ts";

/** A kind of resource: what all of its routes share. */
interface ResourceKind<Caller, Params extends z.ZodObject, Shown extends z.ZodType> {
  path: string;
  tag: Tag;
  /** `ModelProvider` in names of the API document, `a model provider` in its sentences. */
  name: string;
  one: string;
  /** The parameter of its path: its id. */
  params: Params;
  record: Shown;
  example: z.output<Shown>;
  reader: Authentication<Caller>;
  writer: Authentication<Caller>;
}

/** What a handler of a resource is given. */
type Asked<Caller, Params, Body> = Pick<
  Call<Caller, Params, unknown, Body>,
  "http" | "caller" | "params" | "body"
>;

/** How a resource is created: the rest of the route follows from its kind. */
interface Creation<Caller, Body extends z.ZodType, Shown> {
  description: string;
  body: Body;
  bodyExample: z.input<Body>;
  /** Whether the operation can lead to a callback. */
  sendsCallback?: boolean;
  handler(asked: Asked<Caller, unknown, z.output<Body>>): Promise<Shown>;
}

/** How a resource is changed; `changed` is what the body changes of the example. */
interface Change<Caller, Params, Body extends z.ZodType, Shown>
  extends Omit<Creation<Caller, Body, Shown>, "handler"> {
  changed: Partial<Shown>;
  /** Problems beside those of every change; `conflict` unless it can have none. */
  problems?: ["conflict"] | [];
  handler(asked: Asked<Caller, Params, z.output<Body>>): Promise<Shown>;
}

/** Returns the makers of the usual routes of a kind of resource. */
export function resource<
  Caller,
  Params extends z.ZodObject,
  Shown extends z.ZodType<{ createdAt: string }>,
>(kind: ResourceKind<Caller, Params, Shown>) {
  const { path, tag, name, one, params, record, example, reader, writer } = kind;
  const noun = one.replace(/^an? /, "");
  const item = `${path}/:${Object.keys(params.shape).join("")}`;
  const items = `${name.charAt(0).toLowerCase()}${name.slice(1)}s`;
  const what = `The ${noun}.`;

  /** The route of the list; `read` returns the page after a position. */
  function pages(
    description: string,
    read: (
      call: Pick<Call<Caller, unknown, { limit: number }, unknown>, "http" | "caller" | "query">,
      after: Position | null,
    ) => Promise<ListPage<z.output<Shown>>>,
  ): Route {
    return listRoute({
      path,
      operationId: `list${name}s`,
      tag,
      summary: `List ${noun}s`,
      description,
      auth: reader,
      items,
      page: `${name}Page`,
      problems: ["unavailable"],
      item: record,
      example,
      read,
    });
  }

  return {
    item,
    params,
    pages,

    /** The route of a list that its owner returns as a whole, in any order. */
    list(
      description: string,
      all: (http: Http, caller: Caller) => Promise<readonly z.output<Shown>[]>,
      idOf: (shown: z.output<Shown>) => string,
    ): Route {
      return pages(description, async ({ http, caller, query: { limit } }, after) =>
        pageOf(await all(http, caller), limit, after, (shown) => ({
          createdAt: Date.parse(shown.createdAt),
          id: idOf(shown),
        })),
      );
    },

    create<Body extends z.ZodType>(creation: Creation<Caller, Body, z.output<Shown>>): Route {
      const { description, body, bodyExample, sendsCallback = false, handler } = creation;
      return route({
        method: "POST",
        path,
        operationId: `create${name}`,
        tag,
        summary: `Create ${one}`,
        description,
        auth: writer,
        body: jsonBody(body, bodyExample),
        response: jsonResponse(201, what, record, example),
        problems: ["conflict", "unavailable"],
        sendsCallback,
        handler: async (call) => ({ value: await handler(call) }),
      });
    },

    get(
      description: string,
      read: (asked: Asked<Caller, z.output<Params>, undefined>) => Promise<z.output<Shown>>,
    ): Route {
      return route({
        method: "GET",
        path: item,
        operationId: `get${name}`,
        tag,
        summary: `Get ${one}`,
        description,
        auth: reader,
        params,
        response: jsonResponse(200, what, record, example),
        problems: ["not_found"],
        handler: async (call) => ({ value: await read(call) }),
      });
    },

    update<Body extends z.ZodType>(
      change: Change<Caller, z.output<Params>, Body, z.output<Shown>>,
    ): Route {
      const { description, body, bodyExample, changed, sendsCallback = false, handler } = change;
      const { problems = ["conflict"] } = change;
      return route({
        method: "PATCH",
        path: item,
        operationId: `update${name}`,
        tag,
        summary: `Update ${one}`,
        description,
        auth: writer,
        params,
        body: jsonBody(body, bodyExample),
        response: jsonResponse(200, what, record, { ...example, ...changed }),
        problems: ["not_found", ...problems, "unavailable"],
        sendsCallback,
        handler: async (call) => ({ value: await handler(call) }),
      });
    },

    /** The route that deletes a resource; `act` returns false if there is none. */
    remove(
      description: string,
      act: (asked: Asked<Caller, z.output<Params>, undefined>) => Promise<boolean>,
      {
        verb = "delete",
        problems = [],
      }: { verb?: "delete" | "revoke"; problems?: ["conflict"] | [] } = {},
    ): Route {
      return route({
        method: "DELETE",
        path: item,
        operationId: `${verb}${name}`,
        tag,
        summary: `${verb === "delete" ? "Delete" : "Revoke"} ${one}`,
        description,
        auth: writer,
        params,
        response: noContent(`The ${noun} is ${verb}d.`),
        problems: ["not_found", ...problems],
        async handler(call) {
          if (!(await act(call))) throw notFound();
          return { value: undefined };
        },
      });
    },
  };
}

/** Returns the schema of an id in a path: a prefix, then random letters and digits. */
export function idOf(noun: string, prefix: string, digits = 16) {
  return z
    .string()
    .regex(new RegExp(`^${prefix}[0-9A-Za-z]{${digits}}$`))
    .describe(`The id of the ${noun}: \`${prefix}\` and ${digits} letters and digits.`);
}

/** Returns an id of this many random letters and digits behind a prefix. */
export function randomId(prefix: string, digits = 16): string {
  return `${prefix}${randomBase62(randomBytes(bytesForBase62(digits)), digits)}`;
}

/** Returns cryptographically random bytes. */
export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

/** Calls the object of the caller's account, and again if that fails: a repeat must change nothing. */
export function callAccount<Answer>(
  http: Http,
  caller: Pick<Authorized, "accountId" | "by">,
  call: (account: AccountApi, actor: Actor) => Promise<Answer>,
): Promise<Answer> {
  const actor = actorOf(http, caller);
  return callWithRetry(() => call(accountStub(http.env, caller.accountId), actor));
}

/** Has the object of the caller's account change something, once. Its audit log names the caller. */
export function changeAccount<Answer>(
  http: Http,
  caller: Pick<Authorized, "accountId" | "by">,
  change: (account: AccountApi, actor: Actor) => Promise<Answer>,
): Promise<Answer> {
  const actor = actorOf(http, caller);
  return callOnce(() => change(accountStub(http.env, caller.accountId), actor));
}

/** Returns the record that an account has added. Throws the 409 of a taken name or a full account. */
export function added<Shown>(reply: AddReply<Shown>, one: string, name: string): Shown {
  switch (reply.kind) {
    case "added":
      return reply.record;
    case "name_taken":
      throw new HttpProblem(
        "conflict",
        `The account already has ${one} named ${name}. Choose another name.`,
      );
    case "full":
      throw tooMany(one, reply.limit);
  }
}

/** Returns the 409 of one more than an account may have. */
export function tooMany(one: string, limit: number): HttpProblem {
  const many = `${one.replace(/^an? /, "")}s`;
  return new HttpProblem(
    "conflict",
    `The account has ${limit.toLocaleString("en")} ${many}, which is the limit. Remove one first.`,
  );
}
