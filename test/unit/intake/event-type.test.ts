import { expect, it } from "vitest";
import { eventTypeOf } from "../../../src/intake/event-type.ts";
import { presetOf } from "../../../src/intake/signatures/presets.ts";
import { configWith } from "../../support/endpoint.ts";
import { inboundRequest } from "../../support/signed-request.ts";

const kept = { sealed: "", last4: "cret", previous: null };
const github = configWith({
  auth: {
    token: null,
    hmac: { preset: "github", scheme: presetOf("github").scheme, secret: kept },
    ipAllowlist: null,
    headers: [],
  },
});
const typed = { type: "order.paid" };

it.each([
  ["the place of the preset first", github, { "X-GitHub-Event": "issues" }, typed, "issues"],
  ["the usual places where the preset's is empty", github, {}, typed, "order.paid"],
  [
    "the header of CloudEvents",
    configWith(),
    { "ce-type": "com.example.paid" },
    typed,
    "com.example.paid",
  ],
  ["200 characters of a long type", configWith(), {}, { event: "a".repeat(300) }, "a".repeat(200)],
  ["no type in an object", configWith(), {}, { event: { id: 1 } }, null],
  ["no type before the body is parsed", configWith(), {}, undefined, null],
])("reads %s", (_, config, headers, payload, type) => {
  expect(eventTypeOf(config, inboundRequest({ headers }), payload)).toBe(type);
});
