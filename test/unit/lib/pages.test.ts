import { expect, test } from "vitest";
import { firstOf, pagesOf } from "../../../src/lib/pages.ts";

test("a list is read page by page until its end, each item once", async () => {
  const all = [5, 4, 3, 2, 1].map((createdAt) => ({ createdAt, id: `item ${createdAt}` }));
  const asked: (number | undefined)[] = [];
  const pages = pagesOf(async (after) => {
    asked.push(after?.createdAt);
    const older = all.filter(({ createdAt }) => after === null || createdAt < after.createdAt);
    return firstOf(older.slice(0, 3), 2, (item) => item);
  });
  const read: (typeof all)[] = [];
  for await (const page of pages) read.push(page);
  expect(read.map((page) => page.length)).toEqual([2, 2, 1]);
  expect(read.flat()).toEqual(all);
  expect(asked).toEqual([undefined, 4, 2]);
});
