import { expect, it } from "vitest";
import { plainError, shownStatus } from "../../../../src/dashboard/pages/executions/labels.ts";

it("distinguishes waiting for a machine from waiting for a person, and a denial from a failure", () => {
  const waits = "waiting_for_input";
  expect(shownStatus({ status: waits, statusDetail: "event" })).toBe("waiting_for_event");
  expect(shownStatus({ status: waits, statusDetail: "approval" })).toBe("waiting_for_input");
  expect(shownStatus({ status: "failed", statusDetail: "denied" })).toBe("denied");
});

it.each([
  [
    "https://a.example/x could not be read: https://a.example/x returned status 404.",
    "Could not open https://a.example/x: 404",
  ],
  ["https://a.example/x returned status 500.", "Could not open https://a.example/x: 500"],
  ["✖ is not valid\n  → at format", "format: is not valid"],
  ["Something else.", "Something else."],
])("describes a failure in plain words: %s", (message, plain) => {
  expect(plainError(message)).toBe(plain);
});
