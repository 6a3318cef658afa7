import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../../../src/dashboard");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** How code names an icon: of a section, in a page, of a state, of a tool. */
const NAMED = /\bicon: "(.+?)"|<Icon name="(.+?)"|\["(?:busy|attention|good|bad|idle)", "(.+?)"\]/g;
const OF_TOOL = /^ {2}\w+: "(.+?)",$|\?\? "(.+?)"/gm;

const drawnIn = (file: string) =>
  [...read(file).matchAll(/<symbol id="(.+?)"/g)].map(([, name]) => name);

test("every icon that a page names is drawn", () => {
  const drawn = drawnIn("icons.svg");
  const pages = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".tsx"),
  );
  const found = [
    ...pages.flatMap((file) => [...read(file).matchAll(NAMED)]),
    ...read("components/elements.tsx").matchAll(OF_TOOL),
  ];
  const named = new Set(found.map(([, ...groups]) => groups.find((group) => group !== undefined)));
  expect(named.size).toBeGreaterThan(30);
  expect([...named].filter((name) => !drawn.includes(name))).toEqual([]);
});
