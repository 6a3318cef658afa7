import { expect, test } from "vitest";
import { createEndpointBody, updateEndpointBody } from "../../../src/contract/webhooks/endpoint.ts";

const MOST = 60_000;

test.each([
  [
    "created",
    (requestsPerMinute: number) =>
      createEndpointBody.safeParse({ name: "Orders", requestsPerMinute }),
  ],
  ["changed", (requestsPerMinute: number) => updateEndpointBody.safeParse({ requestsPerMinute })],
])("an endpoint is not %s with a limit above what its one object can serve", (_, parse) => {
  expect(parse(MOST).success).toBe(true);
  expect(parse(MOST + 1).success).toBe(false);
});
