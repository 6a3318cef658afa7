import { expect, it } from "vitest";
import { contentType } from "../../../../src/inbound/checks/transport.ts";
import type { ReceivedBody } from "../../../../src/inbound/payload/body.ts";
import { endpointWith, requestWith } from "../../../support/hook-request.ts";
import { rulesOf } from "./support.ts";

const judged = (type: string, body: ReceivedBody | string = "x", method = "POST") =>
  rulesOf(
    contentType,
    endpointWith(),
    requestWith({ method, headers: { "Content-Type": type }, body }),
  );

it.each([
  ["application/json", "passed"],
  ["application/json; charset=utf-8", "passed"],
  ["application/cloudevents+json", "passed"],
  ["application/x-www-form-urlencoded", "passed"],
  ["text/plain", "passed"],
  ["image/png", "unsupported_media_type: content_type"],
  ["application/json; charset=utf-16", "unsupported_media_type: content_type"],
  ["application/octet-stream", "unsupported_media_type: content_type"],
  ["json", "unsupported_media_type: content_type"],
])("%s: %s", async (type, verdict) => {
  expect(await judged(type)).toBe(verdict);
});

it("does not matter where there is nothing to read", async () => {
  expect(await judged("image/png", "")).toBe("passed");
  expect(await judged("image/png", "", "GET")).toBe("skipped");
});

it("is refused beside an encoding that could not be undone", async () => {
  const body: ReceivedBody = { kind: "unsupported", detail: "br", beginning: new Uint8Array() };
  expect(await judged("application/json", body)).toBe("unsupported_media_type: content_encoding");
});
