import * as z from "zod";
import { fromBase64, toBase64Url } from "../lib/encoding.ts";
import { jsonOrNull } from "../lib/json-values.ts";
import { firstOf, newestFirst, type Page, type Position } from "../lib/pages.ts";
import type { Authentication } from "./authentication.ts";
import { type PathParams, parameters, wholeNumberOr } from "./params.ts";
import { type HttpProblem, invalid } from "./problem.ts";
import { type Call, jsonResponse, type Route, type RouteDefinition, route } from "./route.ts";

const limit = wholeNumberOr(20, 1, 100).describe("The maximum number of items to return.");
const cursor = z.string().optional().describe("The `nextCursor` of the previous page.");

/** Returns the query of a list: `limit`, `cursor` and the list's own filters. */
export function listQuery<Filters extends z.core.$ZodLooseShape>(filters: Filters) {
  return parameters({ limit, cursor, ...filters });
}

type Query = z.ZodObject & z.ZodType<{ limit: number; cursor?: string | undefined }>;

/** A route that returns a list. */
interface ListDefinition<Caller, Params, ListQuery extends Query, Item extends z.ZodType>
  extends Pick<
    RouteDefinition<Caller, Params, ListQuery, undefined, unknown>,
    "operationId" | "summary" | "description" | "query" | "problems"
  > {
  auth: Authentication<Caller>;
  /** The field of the response that holds the items, and the name of the page's schema. */
  items: string;
  page: string;
  item: Item;
  /** Returns the items after `after`, or the first ones, at most `query.limit` of them. */
  read(
    call: Call<Caller, Params, z.output<ListQuery>, undefined>,
    after: Position | null,
  ): Promise<Page<z.output<Item>>>;
}

const unfiltered = listQuery({});

/** Makes the route of a list: newest first, one page at a time, `{<items>, nextCursor}`. */
export function listRoute<
  Caller,
  Item extends z.ZodType,
  Path extends string,
  ListQuery extends Query = typeof unfiltered,
>(path: Path, definition: ListDefinition<Caller, PathParams<Path>, ListQuery, Item>): Route;
export function listRoute(
  path: string,
  definition: ListDefinition<unknown, unknown, Query, z.ZodType>,
): Route {
  const { items: name, page, item, read, query = unfiltered, ...rest } = definition;
  const schema = z
    .object({
      [name]: z.array(item).describe("The items, newest first."),
      nextCursor: z.string().nullable().describe("The `cursor` of the next page, or null."),
    })
    .meta({ id: page });
  return route("GET", path, {
    ...rest,
    query,
    response: jsonResponse(200, "One page of the list.", schema),
    async handler(call) {
      const after = call.query.cursor === undefined ? null : decodeCursor(call.query.cursor);
      const { items, next } = await read(call, after);
      return { value: { [name]: items, nextCursor: next && encodeCursor(next) } };
    },
  });
}

/** Cuts a page out of a whole list, which its owner holds in any order. */
export function pageOf<Item>(
  all: readonly Item[],
  max: number,
  after: Position | null,
  positionOf: (item: Item) => Position,
): Page<Item> {
  const rest = all
    .map((item) => ({ item, position: positionOf(item) }))
    .sort((left, right) => newestFirst(left.position, right.position))
    .filter(({ position }) => after === null || newestFirst(after, position) < 0);
  const { items, next } = firstOf(rest, max, ({ position }) => position);
  return { items: items.map(({ item }) => item), next };
}

const stored = z.strictObject({ v: z.literal(1), t: z.int(), id: z.string().max(100) });

/** Encodes a position. Cursors are opaque, so that their content may change. */
export function encodeCursor({ createdAt, id }: Position): string {
  const text = JSON.stringify({ v: 1, t: createdAt, id } satisfies z.infer<typeof stored>);
  return toBase64Url(new TextEncoder().encode(text));
}

/** Decodes a cursor. Throws a 400 for any other text. */
export function decodeCursor(text: string): Position {
  const bytes = fromBase64(text);
  const parsed = stored.safeParse(bytes && jsonOrNull(new TextDecoder().decode(bytes)));
  if (!parsed.success) throw invalidCursor();
  return { createdAt: parsed.data.t, id: parsed.data.id };
}

/** Returns the 400 of a cursor that the list did not give out. */
export function invalidCursor(): HttpProblem {
  return invalid("cursor", "cursor", "must be a `nextCursor` of this list");
}
