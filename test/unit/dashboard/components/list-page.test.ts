import { Hono } from "hono";
import { expect, it } from "vitest";
import * as z from "zod";
import {
  fieldColumns,
  serveFilteredList,
} from "../../../../src/dashboard/components/list-page.tsx";
import type { DashboardEnv } from "../../../../src/dashboard/context.ts";
import { field } from "../../../../src/dashboard/forms/form.ts";

/** Opens a list whose rows are gone; its first page stops within a long log. */
async function emptyList(query: string): Promise<string> {
  const app = new Hono<DashboardEnv>();
  serveFilteredList(app, {
    section: "requests",
    filter: () => ({
      schema: z.object({ q: z.string().exactOptional() }),
      fields: { q: field.line("Search") },
    }),
    load: async (_, { cursor }) => ({ rows: [], nextCursor: cursor === undefined ? "more" : null }),
    rowsOf: ({ rows }) => rows,
    around: async () => null,
    columns: [],
    frame: ({ content }) => content,
  });
  return (await app.request(`/requests${query}`)).text();
}

it("a search that has not reached the end of a long log says so, and leads on", async () => {
  const page = await emptyList("?q=tea");
  expect(page).toContain("No matching requests");
  expect(page).toContain("Only a part of the log was searched.");
  expect(page).toMatch(/href="[^"]*\?q=tea&amp;cursor=more" rel="next"/);
});

it("a search that has reached the end leads nowhere", async () => {
  const page = await emptyList("?q=tea&cursor=more");
  expect(page).toContain("No matching requests");
  expect(page).not.toContain("Only a part");
});

it("an older page whose rows were deleted says that it has none", async () => {
  expect(await emptyList("?cursor=more")).toContain("No older requests");
});

it("a CSV file with the most rows says that more follow, and a whole one does not", async () => {
  const app = new Hono<DashboardEnv>();
  const pageOf = (from: number, count: number) => ({
    rows: Array.from({ length: 100 }, (_, at) => ({ name: `tea ${from + at}` })),
    nextCursor: from + 100 < count ? String(from + 100) : null,
  });
  serveFilteredList(app, {
    section: "requests",
    filter: () => ({
      schema: z.object({ count: z.coerce.number() }),
      fields: { count: field.line("Rows") },
    }),
    load: async (_, { cursor, count }) => pageOf(Number(cursor ?? 0), count),
    rowsOf: ({ rows }) => rows,
    around: async () => null,
    columns: [],
    csv: fieldColumns("name"),
  });
  const linesOf = async (count: number) => {
    const response = await app.request(`/requests/csv?count=${count}`);
    return (await response.text()).trim().split("\r\n");
  };
  expect((await linesOf(10_100)).slice(-2)).toEqual([
    "tea 9999",
    "# More rows follow: filter the list for fewer.",
  ]);
  expect(await linesOf(10_000)).toHaveLength(1 + 10_000);
});
