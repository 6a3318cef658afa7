import { describe, expect, it } from "vitest";
import { type HookResponse, hookResponse } from "../../../src/contract/webhooks/response.ts";
import { answerTo } from "../../../src/intake/answer.ts";

const json = { requestId: "r-1", status: "accepted" };
const answer = (set: HookResponse | null, headers: Record<string, string> = {}) =>
  answerTo(set, { status: 202, json, headers: new Headers(headers) });

describe("the answer to a sender", () => {
  it("is the configured one, or the usual JSON", () => {
    const usual = {
      headers: { "Content-Type": "application/json" },
      body: '{"requestId":"r-1","status":"accepted"}',
    };
    expect(answer(null)).toEqual({ status: 202, ...usual });
    expect(answer({ status: 200 })).toMatchObject({ status: 200, ...usual });
    expect(answer({ body: "OK {{requestId}}", headers: { "X-A": "b" } })).toMatchObject({
      status: 202,
      headers: { "Content-Type": "text/plain; charset=utf-8", "X-A": "b" },
      body: "OK r-1",
    });
  });

  it("has no body and no type if the body is empty, as Xero requires", () => {
    const { status, headers, body } = answer({ status: 200, body: "" });
    expect({ status, body }).toEqual({ status: 200, body: null });
    expect(headers).not.toHaveProperty("Content-Type");
  });

  it.each([
    ["application/json", '{"echo":"{{header.X-Note}}"}', '{"echo":"a\\"<b>"}'],
    ["text/xml", "<Echo>{{ header.x-note }}</Echo>", "<Echo>a&quot;&lt;b&gt;</Echo>"],
    ["text/plain", "{{header.X-Note}}{{header.X-Other}}", 'a"<b>'],
  ])("echoes a header as %s sends it", (type, body, written) => {
    const set = { headers: { "content-type": type }, body };
    expect(answer(set, { "X-Note": 'a"<b>' }).body).toBe(written);
  });

  it("cannot run in a browser on the service's origin", () => {
    const { headers } = answer({ headers: { "Content-Type": "text/html" }, body: "<b>hello</b>" });
    expect(headers["Content-Security-Policy"]).toContain("sandbox");
  });
});

it.each<[object, string, string]>([
  [{ status: 302 }, "status", "must be a status from 200 to 299"],
  [{ status: 204, body: "x" }, "body", "must be an empty text with the status 204 or 205"],
  [{ status: 204 }, "body", "must be an empty text with the status 204 or 205"],
  [{ body: "{{secret}}" }, "body", "has the unknown reference {{secret}}"],
  [{ body: "{{header.a b}}" }, "body", "has the unknown reference {{header.a b}}"],
  [{ headers: { "Set-Cookie": "a=b" } }, "headers.Set-Cookie", "the service sets"],
  [{ headers: { "X-A": "a\r\nX-B: c" } }, "headers.X-A", "valid in a header"],
  [{ text: "x" }, "", "Unknown field `text`"],
])("the response setting %j is refused", (given, path, message) => {
  const issues = hookResponse.safeParse(given).error?.issues ?? [];
  expect(issues.map((issue) => issue.path.join("."))).toContain(path);
  expect(JSON.stringify(issues)).toContain(message);
});
