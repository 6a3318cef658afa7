import { expect, it } from "vitest";
import { executionSeed } from "../../../src/contract/session.ts";
import { seedOf } from "../../support/execution.ts";

it("a seed stored before MCP servers and webhooks has none", () => {
  const { mcpServers: _, inbound: __, ...old } = seedOf();
  expect(executionSeed.parse(old)).toEqual(seedOf({ mcpServers: [], inbound: null }));
});
