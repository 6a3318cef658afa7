import { expect, it } from "vitest";
import { shownStatus } from "../../../../src/dashboard/pages/executions/labels.ts";

it("tells what waits for a machine from what waits for a person, and a denial from a failure", () => {
  const waits = "waiting_for_input";
  expect(shownStatus({ status: waits, statusDetail: "event" })).toBe("waiting_for_event");
  expect(shownStatus({ status: waits, statusDetail: "approval" })).toBe("waiting_for_input");
  expect(shownStatus({ status: "failed", statusDetail: "denied" })).toBe("denied");
});
