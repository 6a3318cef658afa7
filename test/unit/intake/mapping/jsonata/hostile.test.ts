import { beforeAll, describe, expect, it } from "vitest";
import { apply } from "../../../../support/mapping.ts";

const WIDE = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`k${at}`, [at]]));

const PAYLOAD = {
  text: "a".repeat(100_000),
  digits: "1".repeat(39),
  numbers: Array.from({ length: 5_000 }, (_, at) => at),
  items: Array.from({ length: 1_000 }, (_, at) => ({ sku: `S${at}`, price: at, nest: [[at]] })),
  wide: WIDE,
  same: structuredClone(WIDE),
};

const twice = (count: number, step: string) => step.repeat(count);

const HOSTILE: [what: string, expression: string][] = [
  ["calls itself at its end", "($f := function($x) { $f($x) }; $f(1))"],
  ["calls itself within", "($f := function($x) { 1 + $f($x) }; $f(1))"],
  [
    "doubles a text",
    "($f := function($s, $n) { $n = 0 ? $s : $f($s & $s, $n - 1) }; $f('ab', 60))",
  ],
  ["doubles an object", `($x := 1; ${twice(60, "$x := {'a': $x, 'b': $x};")} $string($x))`],
  ["compares doubled objects", doubledTwice("$x = $y")],
  ["descends into doubled objects", doubledTwice("$x.**")],
  ["concatenates doubled objects", doubledTwice("$x & $y")],
  ["makes a huge range", "[1..10000000]"],
  ["maps within a map", "$map([1..20000], function($x) { $map([1..20000], function($y) { $y }) })"],
  ["joins a list with itself", "$map(items, function($i) { $$.items[sku = $i.sku] })"],
  ["repeats the payload", "$map([1..20000], function($i) { $$ })"],
  ["writes the payload out again and again", "$map([1..20000], function($i) { $string($$) })"],
  ["compares large values again and again", "$map([1..20000], function($i) { $$.wide = $$.same })"],
  ["pads by a long text", "$pad('x', 1000000, text)"],
  ["replaces each letter by all", "$replace(text, 'a', text)"],
  ["replaces each match by all", "$replace(text, /a/, text)"],
  ["refers to each match many times", `$replace(text, /a+/, $join([1..2000].('$0')))`],
  ["joins by a long separator", "$join([1..20000].('x'), text)"],
  ["runs a pattern that backtracks", "$contains(text & 'b', /^(a+)+$/) ? 1 : $error('no')"],
  ["looks ahead at each match", "$replace(text, /a.*b|a/, 'c')"],
  ["collects the matches of a long text", "$match(text, /a/)"],
  ["grows a list step by step", "$reduce([1..20000], function($a, $b) { $append($a, $b) })"],
  ["sorts by a costly comparison", "$sort([1..20000], function($a, $b) { $a < $b })"],
  ["sorts a long list by a path", "numbers^($)"],
  ["compares each with each", "$distinct([1..20000])"],
  ["walks all descendants of all descendants", "[**].**.**"],
  ["spreads a wide object", "wide.*"],
  ["looks a name up in a long list again and again", "[1..20000].($$.numbers.x)"],
  ["nests without end", "$reduce([1..20000], function($a, $b) { {'a': $a} })"],
  ["composes a function with itself", composed()],
  ["formats infinity", "$formatNumber(1e300 * 1e300, '0.0e0')"],
  ["reads a long date", "$toMillis(digits & digits, '[Y][M]')"],
  ["reads a date by a long picture", "$toMillis(digits, $join([1..40].('[Y]')))"],
  ["has a huge picture", "$formatNumber(1, $pad('0', 100000, '0'))"],
];

function doubledTwice(end: string): string {
  const step = "$x := {'a': $x, 'b': $x}; $y := {'a': $y, 'b': $y};";
  return `($x := 1; $y := 1; ${twice(40, step)} ${end})`;
}

function composed(): string {
  const power = "$p := function($g) { function($x) { $g($g($x)) } };";
  return `(${power} $q := $p($p($p($p($p)))); $q(function($x) { $x + 1 })(0))`;
}

describe("a hostile JSONata expression that", () => {
  beforeAll(async () => {
    await apply(PAYLOAD, { type: "jsonata", expression: "$sum(items.price)" });
  });

  it.each(HOSTILE)("%s ends soon with an error", async (_, expression) => {
    const outcome = await apply(PAYLOAD, { type: "jsonata", expression }, PAYLOAD);
    expect(outcome).toEqual({ refused: expect.stringMatching(/^cannot be evaluated: /) });
  });

  it("pads by too much is refused before the text is made", async () => {
    const expression = "$pad('x', 400000000)";
    expect(await apply({}, { type: "jsonata", expression })).toEqual({
      refused: "cannot be evaluated: it takes too much work for one request",
    });
  });

  it("reads a date in many formats ends soon", async () => {
    const expression = "$toMillis(digits & 'x', '[Y][M][D][H][m][s][Y][M][D]')";
    expect(await apply(PAYLOAD, { type: "jsonata", expression })).toBeNull();
  });

  it("is refused leaves the next one unaffected", async () => {
    await apply(PAYLOAD, { type: "jsonata", expression: "($f := function() { $f() }; $f())" });
    expect(await apply(PAYLOAD, { type: "jsonata", expression: "items[2].sku" })).toBe("S2");
  });
});
