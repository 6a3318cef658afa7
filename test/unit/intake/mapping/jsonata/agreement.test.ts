import jsonata from "jsonata";
import { expect, it } from "vitest";
import type { PayloadValue } from "../../../../../src/contract/webhooks/payload.ts";
import { apply } from "../../../../support/mapping.ts";

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
