import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../../src/contract/webhooks/payload.ts";
import {
  mediaOf,
  objectOf,
  type ParsedPayload,
  parsePayload,
} from "../../../../src/intake/payload/parse.ts";

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

function parse(
  body: string | Uint8Array,
  contentType: string | null = JSON_TYPE,
  { method = "POST", query = "" } = {},
): Promise<ParsedPayload> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const url = new URL(`https://hooks.example/hooks/a${query}`);
  const headers = new Headers(contentType === null ? {} : { "Content-Type": contentType });
  return parsePayload({ method, url, headers }, bytes);
}

async function payloadOf(...input: Parameters<typeof parse>): Promise<PayloadValue> {
  const parsed = await parse(...input);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.payload;
}

async function faultOf(...input: Parameters<typeof parse>) {
  const parsed = await parse(...input);
  if (parsed.ok) throw new Error("parsed");
  expect(parsed.faults).toHaveLength(1);
  return parsed.faults[0];
}

/** Names that mean something to objects themselves. */
const NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];

describe("a JSON body", () => {
  const deep = (bracket: string) => bracket.repeat(65);

  it("is parsed even if it is called plain text", async () => {
    expect(await payloadOf(' {"a":12345678901234567890}', "text/plain")).toEqual({
      a: 12345678901234567890n,
    });
    expect(await payloadOf("[1]", "text/plain; charset=UTF-8")).toEqual([1]);
    expect(await payloadOf("{a}", "text/plain")).toEqual({ body: "{a}" });
    expect(await payloadOf("7", "text/plain")).toEqual({ body: "7" });
  });

  it("keeps all digits of whole numbers", async () => {
    const text =
      '{"id":12345678901234567890,"ids":[-9007199254740993,9007199254740991],"e":1e20,"f":0.1234567890123456789,"s":"12345678901234567890"}';
    expect(await payloadOf(text)).toEqual({
      id: 12345678901234567890n,
      ids: [-9007199254740993n, 9007199254740991],
      e: 1e20,
      f: 0.12345678901234568,
      s: "12345678901234567890",
    });
  });

  it.each(NAMES)("may have a member named %s like any other", async (name) => {
    for (const long of ["", ',"n":12345678901234567890']) {
      const payload = await payloadOf(`{${JSON.stringify(name)}:{"polluted":1}${long}}`);
      expect(Object.keys(Object(payload))).toContain(name);
      expect(Object.getPrototypeOf(payload)).toBe(Object.prototype);
      expect(Reflect.get({}, "polluted")).toBeUndefined();
    }
  });

  it.each<[string, string | Uint8Array, string]>([
    ["with a name twice", '{"a":{"b":1,"b":2}}', '"b" comes twice'],
    ["deep, with a long number", `${deep("[")}12345678901234567890${deep("]")}`, "64 levels"],
    ["with a number that is too large", "1e999", "too large"],
    ["that is not UTF-8", new Uint8Array([0x22, 0xff, 0x22]), "not UTF-8"],
  ])("%s is refused", async (_, body, message) => {
    expect(await faultOf(body)).toEqual({
      path: "",
      rule: "json",
      message: expect.stringContaining(message),
    });
  });

  it("may have 30,000 names and 50,000 values, and no more", async () => {
    const members = (count: number) =>
      `{${Array.from({ length: count }, (_, at) => `"k${at}":${at}`).join()}}`;
    expect(Object.keys(Object(await payloadOf(members(30_000))))).toHaveLength(30_000);
    expect(await faultOf(members(30_001))).toMatchObject({ message: "More than 30,000 names." });
    const items = (count: number) => `[${Array(count).fill('":,["').join()}]`;
    expect(await payloadOf(items(50_000))).toHaveLength(50_000);
    expect(await faultOf(items(50_001))).toMatchObject({ message: "More than 50,000 values." });
  });

  it("may not have a number of more than 50 characters", async () => {
    expect(await payloadOf(`[${"1".repeat(50)}]`)).toEqual([BigInt("1".repeat(50))]);
    expect(await faultOf(`[${"1".repeat(51)}]`)).toMatchObject({ rule: "json" });
  });
});

describe("a form", () => {
  it("becomes an object with repeated fields as arrays", async () => {
    expect(await payloadOf("a=1&b=x+y&a=%C3%A9&c=&a=3", FORM)).toEqual({
      a: ["1", "é", "3"],
      b: "x y",
      c: "",
    });
  });

  it.each(NAMES)("may have a field named %s", async (name) => {
    const payload = await payloadOf(`${name}=1&${name}=2&b=3`, FORM);
    expect(Object.entries(Object(payload))).toEqual([
      [name, ["1", "2"]],
      ["b", "3"],
    ]);
    expect(Object.getPrototypeOf(payload)).toBe(Object.prototype);
  });

  it("with the one field payload holds JSON", async () => {
    const field = encodeURIComponent('{"id":12345678901234567890}');
    expect(await payloadOf(`payload=${field}`, FORM)).toEqual({ id: 12345678901234567890n });
    expect(await payloadOf(`payload=${field}&b=1`, FORM)).toMatchObject({ b: "1" });
    expect(await payloadOf("payload=1&payload=2", FORM)).toEqual({ payload: ["1", "2"] });
    expect(await faultOf("payload=%7B", FORM)).toMatchObject({ path: "payload", rule: "json" });
  });

  it("is read as the platform's parser reads it", async () => {
    // ASCII only: Node's parser cuts other characters to a byte where an escape is malformed. No piece begins
    // with a hexadecimal digit: `%` before two of them may be no UTF-8.
    const piece = fc.constantFrom(
      ...[
        "z",
        "=",
        "&",
        "+",
        "%",
        "%4",
        "%41",
        "%c3%A9",
        "%zz",
        "%f0%9f%98%80",
        "%26",
        "%ef%bb%bf",
      ],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async (pieces) => {
        const text = pieces.join("");
        expect(await payloadOf(text, FORM)).toEqual(objectOf(new URLSearchParams(text)));
      }),
    );
  });

  it("must be UTF-8, escaped or not", async () => {
    expect(await faultOf("a=%FF", FORM)).toMatchObject({ rule: "utf8" });
    expect(await faultOf("%C3=1", FORM)).toMatchObject({ rule: "utf8" });
    expect(await faultOf(new Uint8Array([0x61, 0x3d, 0xff]), FORM)).toMatchObject({ rule: "utf8" });
    expect(await payloadOf("a=%EF%BF%BD&b=100%", FORM)).toEqual({ a: "\ufffd", b: "100%" });
  });

  it("may have 10,000 fields, and not many more", async () => {
    const text = (count: number) =>
      Array.from({ length: count }, (_, at) => `k${at}=${at}`).join("&");
    expect(Object.keys(Object(await payloadOf(text(10_000), FORM)))).toHaveLength(10_000);
    expect(await faultOf(text(10_002), FORM)).toEqual({
      path: "",
      rule: "max_fields",
      message: "The form has more than 10,000 fields.",
    });
  });
});

describe("a multipart form", () => {
  const part = (name: string, value: string, more = "") =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const type = "multipart/form-data; boundary=x";

  it("becomes an object that describes its files", async () => {
    const body = `${part("a", "1")}${part("a", "é")}--x\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nabc\r\n--x--\r\n`;
    expect(await payloadOf(body, type)).toEqual({
      a: ["1", "é"],
      f: { filename: "a.png", mediaType: "image/png", size: 3 },
    });
  });

  it("may have a field named __proto__, and with the one field payload holds JSON", async () => {
    const payload = await payloadOf(`${part("__proto__", "1")}${part("b", "2")}--x--\r\n`, type);
    expect(Object.keys(Object(payload))).toEqual(["__proto__", "b"]);
    expect(await payloadOf(`${part("payload", "[1]")}--x--\r\n`, type)).toEqual([1]);
  });

  it.each([
    ["that ends early", part("a", "1"), type],
    ["that is none", "hello", type],
    ["without its boundary", `${part("a", "1")}--x--\r\n`, "multipart/form-data"],
  ])("%s is refused", async (_, body, contentType) => {
    expect(await faultOf(body, contentType)).toMatchObject({ rule: "multipart" });
  });
});

describe("other requests", () => {
  it("have their text as body", async () => {
    expect(await payloadOf("hällo", "text/plain")).toEqual({ body: "hällo" });
    expect(await faultOf(new Uint8Array([0xff]), "text/plain")).toMatchObject({ rule: "utf8" });
  });

  it("have an empty object for an empty body", async () => {
    for (const type of [JSON_TYPE, FORM, "text/plain", null]) {
      expect(await payloadOf("", type)).toEqual({});
    }
  });

  it("have their query if they are a GET, with any body", async () => {
    const options = { method: "GET", query: "?a=1&a=2&__proto__=3&payload=x" };
    const payload = await payloadOf("{", "image/png", options);
    expect(Object.entries(Object(payload))).toEqual([
      ["a", ["1", "2"]],
      ["__proto__", "3"],
      ["payload", "x"],
    ]);
    expect(await payloadOf("", null, { method: "GET" })).toEqual({});
    expect(await faultOf("", null, { method: "GET", query: "?a=%FF" })).toMatchObject({
      rule: "utf8",
    });
  });

  it("have the type and size of a body of another Content-Type", async () => {
    const file = { mediaType: "image/png", size: 3 };
    expect(await payloadOf("abc", "image/png; x=y")).toEqual({ file });
  });
});

it.each([
  [null, "json"],
  ["Application/JSON; charset=UTF-8", "json"],
  ['application/json; charset="utf-8"', "json"],
  ["application/vnd.github.v3+json;charset=utf8", "json"],
  ["application/x-www-form-urlencoded", "form"],
  ["multipart/form-data; boundary=x", "multipart"],
  ["text/csv; charset=us-ascii", "text"],
  ...[
    ...["application/json; charset=latin1", "text/plain; format=flowed; charset=utf-16"],
    ...["application/xml", "application/+json", "multipart/mixed; boundary=x", "json", "text/"],
    ...["application/json application/json", "*/*extra/"],
  ].map((type) => [type, null]),
])("the media type of %j is read as %s", (contentType, media) => {
  expect(mediaOf(contentType ?? null)).toBe(media);
});
