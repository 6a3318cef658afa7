import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../../scripts/local/project.ts";

const FOLDER = join(ROOT, "src/dashboard/styles");
const css = readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), "utf8"));

/** The declarations of a property, as `name: value`. */
const declarations = (property: RegExp): string[] =>
  css
    .flatMap((text) => [...text.matchAll(/^\s*([\w-]+: [^;{]+);/gm)].map(([, one = ""]) => one))
    .filter((one) => property.test(one));

it("uses only font sizes of the scale", () => {
  const sizes = declarations(/^font(?:-size)?:/).filter((one) => !/: (?:0|inherit)$/.test(one));
  expect(sizes.filter((one) => !/var\(--text-(?:s|m|l|xl)\)/.test(one))).toEqual([]);
});

it("uses only spacing of the scale", () => {
  const distances = declarations(/^(?:margin|padding|gap|row-gap|column-gap)\b/);
  expect(distances.length).toBeGreaterThan(100);
  expect(distances.filter((one) => /\d(?:px|r?em)\b/.test(one))).toEqual([]);
});

it("uses only colours of the palette, which has a light and a dark variant", () => {
  const palette = /:root \{[^}]*\}/g;
  const outside = css.flatMap(
    (text) => text.replaceAll(palette, "").match(/#[0-9a-f]{3,8}\b/g) ?? [],
  );
  // The page of an e-mail is white in both lights.
  expect(outside).toEqual(["#ffffff"]);
  const root = css.join("\n").match(palette)?.join("\n") ?? "";
  const colours = root.split("\n").filter((line) => line.includes("#"));
  expect(colours.filter((line) => !/: light-dark\(#\w{6}, #\w{6}\);$/.test(line))).toEqual([]);
});
