import { describe, expect, it } from "vitest";
import {
  fulfilment,
  pausedRequest,
  sentBody,
  sentHeaders,
} from "../../../../src/outbound/browser/exchange.ts";

const request = (fields: object) =>
  pausedRequest.parse({
    requestId: "1",
    frameId: "F",
    resourceType: "XHR",
    request: { url: "https://example.com/", method: "POST", headers: {}, ...fields },
  }).request;

const part = (...bytes: number[]) => ({ bytes: btoa(String.fromCharCode(...bytes)) });

describe("a request of the browser", () => {
  it("goes out with its own headers, and without those of a connection", () => {
    expect(
      sentHeaders({ Accept: "*/*", Cookie: "a=1", Host: "x", "X-Forwarded-For": "::1", Bad: "ü" }),
    ).toEqual({ Accept: "*/*", Cookie: "a=1" });
  });

  it("carries its body as text, put together from its parts", () => {
    expect(sentBody(request({}))).toBeUndefined();
    const parts = [part(0x67, 0xc3), part(0xbc, 0x6e)];
    expect(sentBody(request({ hasPostData: true, postDataEntries: parts }))).toBe("gün");
  });

  it("does not go out when its body is a file, or no text", () => {
    expect(sentBody(request({ hasPostData: true }))).toBeNull();
    expect(sentBody(request({ hasPostData: true, postDataEntries: [{}] }))).toBeNull();
    expect(sentBody(request({ hasPostData: true, postDataEntries: [part(255)] }))).toBeNull();
  });
});

describe("an answer to the browser", () => {
  const response = {
    url: "https://example.com/",
    status: 200,
    headers: new Headers([
      ["content-type", "text/html"],
      ["content-encoding", "br"],
      ["content-length", "3"],
      ["set-cookie", "a=1; Path=/"],
      ["set-cookie", "b=2"],
    ]),
    bytes: new TextEncoder().encode("hé"),
    cut: false,
  };

  it("has each cookie separately, without the transfer headers of the body", () => {
    expect(fulfilment(response, { isDocument: false })).toEqual({
      responseCode: 200,
      responseHeaders: [
        { name: "content-type", value: "text/html" },
        { name: "Set-Cookie", value: "a=1; Path=/" },
        { name: "Set-Cookie", value: "b=2" },
      ],
      body: "aMOp",
    });
  });

  it("denies windows, dialogs, downloads and permissions to a document", () => {
    const { responseHeaders } = fulfilment(response, { isDocument: true });
    const added = new Map(responseHeaders.map(({ name, value }) => [name, value]));
    expect(added.get("Content-Security-Policy")).toMatch(/^sandbox allow-scripts/);
    expect(added.get("Content-Security-Policy")).not.toMatch(/popups|modals|downloads/);
    expect(added.get("Permissions-Policy")).toContain("geolocation=()");
  });
});
