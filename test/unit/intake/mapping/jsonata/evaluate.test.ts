import jsonata from "jsonata";
import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../../../src/contract/webhooks/payload.ts";
import { apply, faultOf } from "../../../../support/mapping.ts";

const run = (expression: string, value: PayloadValue = {}, payload: PayloadValue = value) =>
  apply(value, { type: "jsonata", expression }, payload);

const ORDER = {
  id: 12345678901234567890n,
  items: [
    { sku: "A", price: 2.5, qty: 2 },
    { sku: "B", price: 1, qty: 3 },
  ],
  note: "x,y;z",
};

describe("a JSONata expression", () => {
  it("is absent for null, and may create members of any name", async () => {
    expect(await run("missing", ORDER)).toBeNull();
    expect(await run("{'__proto__': 1}.__proto__", ORDER)).toBe(1);
  });

  it("has the value as $ and the payload as $payload", async () => {
    expect(await run("$ & $payload.note", "v ", ORDER)).toBe("v x,y;z");
    expect(await run("$[1]", [1, 2], ORDER)).toBe(2);
  });

  it("finds no members in a function", async () => {
    expect(await run("($f := function($x) { $x }; [$f, $f].*)")).toBeNull();
  });

  it("sees long whole numbers as the text of their digits", async () => {
    expect(await run("id", ORDER)).toBe("12345678901234567890");
    expect(await run("$", 12345678901234567890n)).toBe("12345678901234567890");
  });

  it("runs concurrently in isolation", async () => {
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, at) => run("$replace(x, /a/, y)", { x: "aba", y: `${at}` })),
    );
    expect(all).toEqual(Array.from({ length: 50 }, (_, at) => `${at}b${at}`));
  });

  it("does not change the payload", async () => {
    const payload = { list: [3, 1, 2], o: { a: 1 } };
    await run("[$sort(list), $append(list, 4), $merge([o, {'b': 2}]), list[]]", payload);
    expect(payload).toEqual({ list: [3, 1, 2], o: { a: 1 } });
  });

  it("reads nothing from prototypes", async () => {
    for (const name of ["constructor", "__proto__", "toString", "items.length", "note.length"]) {
      expect(await run(name, ORDER)).toBeNull();
    }
    expect(await run("$lookup($, 'constructor')", ORDER)).toBeNull();
  });

  it("never treats a payload as a function", async () => {
    const lambda = { _jsonata_lambda: true, thunk: true, body: { procedure: {} }, arguments: [] };
    const native = { _jsonata_function: true, implementation: "x" };
    expect(await run("$map([f], function($x) { $x })", { f: lambda })).toEqual({
      refused: expect.any(String),
    });
    expect(await run("f(1)", { f: native })).toEqual({ refused: expect.any(String) });
  });

  it.each([
    ["$error('no such shop')", "cannot be evaluated: no such shop"],
    ["1 / 0", "cannot be evaluated: it makes a number that is not finite"],
    ["function($x) { $x }", "gives a function"],
    ["[$sum]", "gives a function"],
    ["$number('x')", expect.stringMatching(/^cannot be evaluated: Unable to cast value/)],
    ["'a' + 1", expect.stringMatching(/^cannot be evaluated: /)],
  ])("explains why %s fails", async (expression, message) => {
    expect(await run(expression)).toEqual({ refused: message });
  });
});

describe("saving a JSONata expression", () => {
  it.each([
    ["$sum(", /^is not valid JSONata: /],
    ["$eval('1')", /^uses \$eval, which runs text/],
    ["[1].($f := $eval; $f('1'))", /^uses \$eval/],
    ["$now()", /^uses \$now, which gives another value each time/],
    ["$millis()", /^uses \$millis/],
    ["$random()", /^uses \$random/],
    ["$shuffle([1])", /^uses \$shuffle/],
    ["$ ~> |$|{'a': $}|", /^uses the operator/],
    ["/(?=a)/", /^has a pattern that looks ahead/],
    ["a.$match(x, /(a)\\1/)", /^has a pattern that refers back/],
    ["(".repeat(2_400) + ")".repeat(2_400), /^is not valid JSONata: /],
    ["-".repeat(4_900), /^is not valid JSONata: /],
  ])("refuses %s", async (expression, message) => {
    expect(await faultOf({ type: "jsonata", expression })).toMatch(message);
  });
});

const PAYLOAD: PayloadValue = {
  note: "x,y;z",
  n: [3, 1, 2],
  o: { a: 1, b: { c: [1, 2] } },
  items: [
    { s: "A", q: 2, p: 2.5 },
    { s: "B", q: 3, p: 1 },
  ],
  t: " hi ",
  e: [],
  z: null,
  d: "2026-01-31",
};

const EXPRESSIONS = `
$sum(n)
$string(o)
$map(n,$string)
$substring(note,1,2)
note.$substringAfter(",")
t.$trim()
$pad("a",5)
$pad("a",-5,"#")
$match(note,/[a-z]/)
$contains(note,/Y/i)
$replace(note,/([a-z])/,"<$1>")
$replace(note,/[a-z]/,function($m){$uppercase($m.match)})
$split(note,/[,;]/)
$join(items.s,"-")
$formatNumber(1234.5,"#,##0.00")
$formatInteger(12,"w")
$parseInteger("twelve","w")
$number("12")
$map(n,function($v,$i,$a){$v*$i+$count($a)})
$filter(n,function($v,$i){$i>0})
$single(n,function($v){$v=1})
$reduce(n,function($a,$b){$a+$b},10)
$sift(o,function($v,$k){$k="a"})
$keys(o)
$lookup(o,"a")
$spread(o)
$merge(items)
$each(o,function($v,$k){$k})
$type(n)
$sort(n)
$sort(items,function($a,$b){$a.p>$b.p}).s
$distinct([1,2,1])
$base64encode(note)
$toMillis(d)
$toMillis("31/01/2026","[D]/[M]/[Y]")
$fromMillis(0,"[H]:[m]","+0200")
$assert(false,"bad")
$error("boom")
$sum()
$length(missing)
$string(missing)
$fromMillis(0)
$map(missing,$string)
[1..3].$string()
items.($string(q) & s)
n ~> $map(function($x){$x+1}) ~> $sum
($f := $substring(?,0,1); $f(note))
($f := $pad(?,3,"-"); $map(items.s,$f))
($add := function($a,$b){$a+$b}; $add(?,2)(3))
items[$contains(s,"A")]
items@$i.$string($i.q)
$contains(5,"a")
$string(function($x){$x})
items{s:q}
items^(>q)[0].s
($f := function($n){$n<=1?1:$n*$f($n-1)}; $f(10))
($t := $trim ~> $uppercase; $t(t))
`
  .trim()
  .split("\n");

it.each(EXPRESSIONS)("%s agrees with the library", async (expression) => {
  const ours = await apply(PAYLOAD, { type: "jsonata", expression });
  expect(ours).toEqual(await ofLibrary(expression));
});

async function ofLibrary(expression: string): Promise<unknown> {
  try {
    const result: unknown = await jsonata(expression).evaluate(structuredClone(PAYLOAD));
    return JSON.parse(JSON.stringify(result) ?? "null");
  } catch (error) {
    const message = error instanceof Object && "message" in error ? error.message : "";
    return { refused: `cannot be evaluated: ${message}` };
  }
}
