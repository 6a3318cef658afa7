import { expect, it } from "vitest";
import { type Comparable, differencesBetween } from "../../../src/lib/differences.ts";

type Found = [path: string, before?: Comparable | undefined, after?: Comparable];
const ALONE: Found[] = [
  ["a", 1],
  ["b", undefined, 2],
];
const SHORTER: Found[] = [
  ["1", 2, 4],
  ["2", 3],
];

it.each<[string, Comparable, Comparable, Found[]]>([
  ["equal values", { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
  ["scalars", 1, "1", [["", 1, "1"]]],
  ["members of one object alone", { a: 1 }, { b: 2 }, ALONE],
  ["items of lists of other lengths", [1, 2, 3], [1, 4], SHORTER],
  ["members of items", { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, [["a.0.b", 1, 2]]],
  ["a list and an object", [1], { 0: 1 }, [["", [1], { 0: 1 }]]],
  ["null and an object", null, {}, [["", null, {}]]],
  ["names of every object", {}, { toString: 1 }, [["toString", undefined, 1]]],
])("finds the differences between %s, with their paths", (_, before, after, found) => {
  const differences = [...differencesBetween(before, after)];
  expect(differences.map((each) => [each.path.join("."), each.before, each.after])).toEqual(
    found.map(([path, first, other]) => [path, first, other]),
  );
});
