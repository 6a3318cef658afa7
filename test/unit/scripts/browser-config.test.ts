import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";
import { withBrowser, writeBrowserConfig } from "../../../scripts/local/browser-config.ts";
import { ROOT } from "../../../scripts/local/project.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "prompthook-config-"));
});
afterAll(() => rm(directory, { recursive: true }));

it("is the service's own configuration with a browser, readable from its own folder", async () => {
  const read = (config: string) => unstable_readConfig({ config, env: "" }, { hideWarnings: true });
  const own = read(join(ROOT, "wrangler.toml"));
  const { browser, main, ...rest } = read(await writeBrowserConfig(directory));
  expect(browser).toMatchObject({ binding: "BROWSER" });
  expect(main).toBe(own.main);
  for (const part of [
    "name",
    "vars",
    "durable_objects",
    "migrations",
    "queues",
    "compatibility_flags",
  ] as const) {
    expect(rest[part]).toEqual(own[part]);
  }
});

it("says so when there is no entry to start from", async () => {
  const text = await readFile(join(ROOT, "wrangler.toml"), "utf8");
  expect(() => withBrowser(text.replace(/^main = .*$/m, ""), ROOT)).toThrow("names no main");
});
