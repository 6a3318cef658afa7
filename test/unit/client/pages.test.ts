import { describe, expect, it } from "vitest";
import type { Prompthook } from "../../../src/client/prompthook.ts";
import { answer, drop, type ScriptedService, serving } from "../../support/scripted-service.ts";

let service: ScriptedService;

const key = (keyId: string) => ({ keyId });

describe("a list", () => {
  it("is read page by page, each item once, even after a failure", async () => {
    service = await serving(
      answer({ keys: [key("a"), key("b")], nextCursor: "b&" }),
      drop,
      answer({ keys: [], nextCursor: "c" }),
      answer({ keys: [key("d")], nextCursor: null }),
    );
    const ids: string[] = [];
    for await (const { keyId } of service.client().client.keys.all()) ids.push(keyId);
    expect(ids).toEqual(["a", "b", "d"]);
    expect(service.asked.map(({ path }) => path.slice("/api/v1".length))).toEqual([
      "/keys?limit=100",
      "/keys?cursor=b%26&limit=100",
      "/keys?cursor=b%26&limit=100",
      "/keys?cursor=c&limit=100",
    ]);
  });

  it("is read only as far as it is consumed", async () => {
    service = await serving(answer({ keys: [key("a")], nextCursor: "more" }));
    for await (const { keyId } of service.client().client.keys.all()) {
      expect(keyId).toBe("a");
      break;
    }
    expect(service.asked).toHaveLength(1);
  });

  const FILTERS = { status: ["failed", "stopped"], origin: ["api"] } as const;
  const QUERY = "limit=100&status=failed&status=stopped&origin=api";
  const REQUESTS = "/webhooks/ep_1/requests?limit=100&duplicate=true";
  const lists: [string, (client: Prompthook) => AsyncIterable<unknown>, string][] = [
    ["executions", ({ executions }) => executions.all(FILTERS), `/agent/trigger/list?${QUERY}`],
    ["workflows", ({ workflows }) => workflows.all(), "/workflows?limit=100"],
    ["endpoints", ({ webhooks }) => webhooks.all(), "/webhooks?limit=100"],
    ["requests", ({ webhooks }) => webhooks.allRequests("ep_1", { duplicate: true }), REQUESTS],
    ["mcpServers", ({ mcpServers }) => mcpServers.all(), "/mcp-servers?limit=100"],
  ];

  it.each(lists)("of %s is requested with its filters", async (name, all, path) => {
    service = await serving(answer({ [name]: [], nextCursor: null }));
    for await (const _ of all(service.client().client)) expect.unreachable();
    expect(service.asked.map((asked) => asked.path)).toEqual([`/api/v1${path}`]);
  });
});
