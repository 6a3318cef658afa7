import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { tokensIn } from "../../../src/intake/credentials.ts";
import { KEPT } from "../../support/hook-request.ts";
import { inboundRequest } from "../../support/signed-request.ts";

const json = { "content-type": "application/json" };
const url = "https://hooks.example/hooks/ep_1?key=a&key=b";

const LISTED = { in: "body", name: "value[*].state" } as const;
const BASIC = { in: "basic" } as const;
const inBody = (body: string) => ({ headers: json, body });
const authorized = (authorization: string) => ({ headers: { authorization } });

it.each([
  ["a query", { in: "query", name: "key" }, { url }, [["a", "b"]]],
  ["a query without it", { in: "query", name: "other" }, { url }, []],
  ["a body", { in: "body", name: "a.b" }, inBody('{"a":{"b":"x"}}'), [["x"]]],
  ["a body with a number", { in: "body", name: "a" }, inBody('{"a":1}'), [[""]]],
  ["a body that is no JSON", { in: "body", name: "a" }, inBody("{"), []],
  ["each item of a list", LISTED, inBody('{"value":[{"state":"x"},{}]}'), [["x"], [""]]],
  ["an empty list", LISTED, inBody('{"value":[]}'), []],
  ["Basic authentication", BASIC, authorized("basic dTpw"), [["u:p"]]],
  ["another scheme", BASIC, authorized("Bearer dTpw"), []],
  ["no base64", BASIC, authorized("Basic é"), []],
] as const)("reads the tokens of %s", async (_, place, request, given) => {
  const token = { header: null, secret: KEPT, ...place };
  expect((await tokensIn(token, inboundRequest(request))).given).toEqual(given);
});

it("does not inflate an unauthenticated body", async () => {
  const wire = gzipSync('{"passcode":"x"}');
  const request = inboundRequest({ headers: json, wire });
  const token = { header: null, secret: KEPT, in: "body", name: "passcode" } as const;
  expect((await tokensIn(token, request)).given).toEqual([]);
  expect(request.body).toMatchObject({ decoded: null });
});
