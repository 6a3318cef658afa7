import { expect, it } from "vitest";
import { isOwnOrigin } from "../../../src/mcp-server/mount.ts";

const URL_OF_MCP = "https://prompthook.example/mcp";
const HOSTS = ["hooks.example", "hooks.example:8443"];

it.each(["https://prompthook.example", "https://hooks.example", "https://hooks.example:8443"])(
  "accepts %s as the service's own",
  (origin) => {
    expect(isOwnOrigin(origin, URL_OF_MCP, HOSTS)).toBe(true);
  },
);

it.each([
  ...["http://prompthook.example", "http://hooks.example", "https://hooks.example:9000"],
  ...["https://prompthook.example:444", "https://www.prompthook.example", "hooks.example", ""],
  ...["https://hooks.example.evil.example", "https://evil.example/hooks.example", "null"],
  ...["chrome-extension://hooks.example"],
])("treats %j as foreign", (origin) => {
  expect(isOwnOrigin(origin, URL_OF_MCP, HOSTS)).toBe(false);
});

it("distinguishes the ports of this machine", () => {
  const local = "http://localhost:8787/mcp";
  expect(isOwnOrigin("http://localhost:8787", local, [])).toBe(true);
  expect(isOwnOrigin("http://localhost:3000", local, [])).toBe(false);
  expect(isOwnOrigin("http://127.0.0.1:8787", local, [])).toBe(false);
});
