import type * as z from "zod";
import type { AccountApi, Authorized } from "../contract/account.ts";
import type { Actor } from "../contract/actor.ts";
import type { AddReply } from "../contract/connections.ts";
import type { ProblemCode } from "../contract/problem.ts";
import { accountStub } from "../durable/stubs.ts";
import { bytesForBase62, randomBase62 } from "../lib/encoding.ts";
import type { Page, Position } from "../lib/pages.ts";
import type { Authentication } from "./authentication.ts";
import { actorOf, type Http } from "./context.ts";
import { listRoute, pageOf } from "./list.ts";
import { callOnce, callWithRetry, conflict, type HttpProblem, notFound } from "./problem.ts";
import { type Call, jsonBody, jsonResponse, noContent, type Route, route } from "./route.ts";

/** A kind of resource: what all of its routes share. */
export interface ResourceKind<Caller, Shown> {
  path: string;
  /** `ModelProvider` in names of the API document, `a model provider` in its sentences. */
  name: string;
  one: string;
  /** The parameter of its path, and the field of its record. */
  id: keyof Shown & string;
  record: z.ZodType<Shown>;
  /** The record as it is returned once it was created or changed, if that is more. */
  saved?: z.ZodType<Shown>;
  reader: Authentication<Caller>;
  /** Who may change it, if not every reader. */
  writer?: Authentication<Caller>;
}

/** What a handler of a resource is given; `id` is that of its path. */
interface Asked<Caller, Body = undefined> {
  http: Http;
  caller: Caller;
  id: string;
  body: Body;
}

/** How a resource is created: the rest of the route follows from its kind. */
interface Creation<Caller, Body extends z.ZodType, Shown> {
  description: string;
  body: Body;
  bodyExample: z.input<Body>;
  /** Problems beside those of every such route; `conflict` by default. */
  problems?: ProblemCode[];
  /** Whether the operation can lead to a callback. */
  sendsCallback?: boolean;
  handler(asked: Omit<Asked<Caller, z.output<Body>>, "id">): Promise<Shown>;
}

/** How a resource is changed. */
interface Change<Caller, Body extends z.ZodType, Shown>
  extends Omit<Creation<Caller, Body, Shown>, "handler"> {
  handler(asked: Asked<Caller, z.output<Body>>): Promise<Shown>;
}

/** Returns the makers of the usual routes of a kind of resource. */
export function resource<Caller, Shown extends { createdAt: string }>(
  kind: ResourceKind<Caller, Shown>,
) {
  const { path, name, one, id, record, reader } = kind;
  const { saved = record, writer = reader } = kind;
  const noun = one.replace(/^an? /, "");
  const item = `${path}/:${id}`;
  const idIn = (http: Http) => http.req.param(id) ?? "";
  const what = `The ${noun}.`;

  /** The route of the list; `read` returns the page after a position. */
  function pages(
    description: string,
    read: (
      call: Pick<Call<Caller, unknown, { limit: number }, unknown>, "http" | "caller" | "query">,
      after: Position | null,
    ) => Promise<Page<Shown>>,
  ): Route {
    return listRoute(path, {
      operationId: `list${name}s`,
      summary: `List ${noun}s`,
      description,
      auth: reader,
      items: `${name.charAt(0).toLowerCase()}${name.slice(1)}s`,
      page: `${name}Page`,
      item: record,
      read,
    });
  }

  return {
    pages,

    /** The route of a list that its owner returns as a whole, in any order. */
    list(
      description: string,
      all: (http: Http, caller: Caller) => Promise<readonly Shown[]>,
    ): Route {
      return pages(description, async ({ http, caller, query: { limit } }, after) =>
        pageOf(await all(http, caller), limit, after, (shown) => ({
          createdAt: Date.parse(shown.createdAt),
          id: String(shown[id]),
        })),
      );
    },

    create<Body extends z.ZodType>(creation: Creation<Caller, Body, Shown>): Route {
      const { body, bodyExample, handler, ...more } = creation;
      return route("POST", path, {
        operationId: `create${name}`,
        summary: `Create ${one}`,
        auth: writer,
        body: jsonBody(body, bodyExample),
        response: jsonResponse(201, what, saved),
        responseHeaders: ["Location"],
        problems: ["conflict"],
        ...more,
        async handler(call) {
          const value = await handler(call);
          return { value, headers: { Location: `${path}/${value[id]}` } };
        },
      });
    },

    get(description: string, read: (asked: Asked<Caller>) => Promise<Shown>): Route {
      return route("GET", item, {
        operationId: `get${name}`,
        summary: `Get ${one}`,
        description,
        auth: reader,
        response: jsonResponse(200, what, record),
        handler: async (call) => ({ value: await read({ ...call, id: idIn(call.http) }) }),
      });
    },

    update<Body extends z.ZodType>(change: Change<Caller, Body, Shown>): Route {
      const { body, bodyExample, handler, ...more } = change;
      return route("PATCH", item, {
        operationId: `update${name}`,
        summary: `Update ${one}`,
        auth: writer,
        body: jsonBody(body, bodyExample),
        response: jsonResponse(200, what, saved),
        problems: ["conflict"],
        ...more,
        handler: async (call) => ({ value: await handler({ ...call, id: idIn(call.http) }) }),
      });
    },

    /** The route that deletes a resource; `act` returns false if there is none. */
    remove(
      description: string,
      act: (asked: Asked<Caller>) => Promise<boolean>,
      {
        verb = "delete",
        problems = [],
      }: { verb?: "delete" | "revoke"; problems?: ["conflict"] | [] } = {},
    ): Route {
      return route("DELETE", item, {
        operationId: `${verb}${name}`,
        summary: `${verb === "delete" ? "Delete" : "Revoke"} ${one}`,
        description,
        auth: writer,
        response: noContent(`The ${noun} is ${verb}d.`),
        problems,
        async handler(call) {
          if (!(await act({ ...call, id: idIn(call.http) }))) throw notFound();
          return { value: undefined };
        },
      });
    },
  };
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
  calling: typeof callOnce = callWithRetry,
): Promise<Answer> {
  const actor = actorOf(http, caller);
  return calling(() => call(accountStub(http.env, caller.accountId), actor));
}

/** Has the object of the caller's account change something, once. Its audit log names the caller. */
export const changeAccount: typeof callAccount = (http, caller, change) =>
  callAccount(http, caller, change, callOnce);

/** Returns the record that an account has added. Throws the 409 of a taken name or a full account. */
export function added<Shown>(reply: AddReply<Shown>, one: string, name: string): Shown {
  switch (reply.kind) {
    case "added":
      return reply.record;
    case "name_taken":
      throw conflict(`The account already has ${one} named ${name}. Choose another name.`);
    case "full":
      throw tooMany(one, reply.limit);
  }
}

/** Returns the 409 of one more than an account may have. */
export function tooMany(one: string, limit: number): HttpProblem {
  const many = `${one.replace(/^an? /, "")}s`;
  return conflict(
    `The account has ${limit.toLocaleString("en")} ${many}, which is the limit. Remove one first.`,
  );
}
