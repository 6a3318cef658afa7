import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SRC = join(import.meta.dirname, "../../../src");

/** What puts text into a page as it is. */
const UNESCAPED = /dangerouslySetInnerHTML|hono\/html|\braw\(/;
/** The layout's `html` has the document's type and the rest of the page, which is JSX. */
const LAYOUT = "dashboard/components/layout.tsx";

it("pages are written as JSX, which escapes all shown values", () => {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".tsx"),
  );
  expect(files).toContain(LAYOUT);
  const unescaped = files.filter((file) => UNESCAPED.test(readFileSync(join(SRC, file), "utf8")));
  expect(unescaped).toEqual([LAYOUT]);
  const layout = readFileSync(join(SRC, LAYOUT), "utf8");
  expect(layout.match(/html`/g)).toHaveLength(1);
  expect(layout).toMatch(/html`<!DOCTYPE html>\$\{content\}`/);
});
