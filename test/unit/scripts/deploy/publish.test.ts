import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { DeployedConfig } from "../../../../scripts/deploy/config.ts";
import { addressOf, publish } from "../../../../scripts/deploy/publish.ts";
import { secretsPath, writeSecrets } from "../../../../scripts/deploy/secrets.ts";
import type { Wrangler } from "../../../../scripts/deploy/wrangler.ts";
import { folderOfTest } from "../../../support/until-end.ts";

const TARGETS = ["https://prompthook.harbour-lane.workers.dev", "Producer for prompthook-inbound"];

let config: Pick<DeployedConfig, "path" | "name">;

const upload = (secrets: Record<string, string>, now = false) => ({ secrets, now });

beforeEach(async () => {
  config = {
    path: join(await folderOfTest(), "wrangler.toml"),
    name: "prompthook",
  };
  await writeSecrets(secretsPath(config), { v: 1 });
});

/** A wrangler that reports a deployment, and shows what it was called with. */
function deploying(seen: { args: string[]; secrets: string; mode: number }[]): Wrangler {
  return async (args, variables = {}) => {
    const file = args.find((arg) => arg.startsWith("--secrets-file="))?.split("=")[1];
    seen.push({
      args: [...args],
      secrets: file === undefined ? "" : await readFile(file, "utf8"),
      mode: file === undefined ? 0 : (await stat(file)).mode & 0o777,
    });
    const output = [
      { type: "wrangler-session", version: 1 },
      { type: "deploy", version: 1, targets: TARGETS },
    ];
    const lines = output.map((entry) => JSON.stringify(entry)).join("\n");
    await writeFile(variables.WRANGLER_OUTPUT_FILE_PATH ?? "", `${lines}\n`);
    return { code: 0, stdout: "", stderr: "" };
  };
}

test("uploads the secrets with their version, in a file readable only by the owner", async () => {
  const seen: Parameters<typeof deploying>[0] = [];
  expect(await publish(deploying(seen), config, upload({ ENCRYPTION_KEY: "a-secret" }))).toEqual(
    TARGETS,
  );
  expect(seen).toMatchObject([{ secrets: '{"ENCRYPTION_KEY":"a-secret"}', mode: 0o600 }]);
  expect(seen[0]?.args.join(" ")).not.toContain("a-secret");
  expect(await readdir(dirname(secretsPath(config)))).toEqual([".gitignore", "prompthook.json"]);
});

test("uploads no secrets if none is missing, and replaces busy objects at once on request", async () => {
  const seen: Parameters<typeof deploying>[0] = [];
  await publish(deploying(seen), config, upload({}));
  await publish(deploying(seen), config, upload({}, true));
  expect(seen.map(({ args }) => args)).toEqual([
    ["deploy"],
    ["deploy", "--durable-objects-code-update-mode", "immediate"],
  ]);
});

test("deletes the secrets file if wrangler fails, and prints its error", async () => {
  const failing: Wrangler = async () => ({ code: 1, stdout: "", stderr: "Script too large" });
  await expect(publish(failing, config, upload({ ADMIN_TOKEN: "x" }))).rejects.toThrow(
    "Script too large",
  );
  expect(await readdir(dirname(secretsPath(config)))).toEqual([".gitignore", "prompthook.json"]);
});

test("returns the address on a custom domain, else on workers.dev", () => {
  expect(addressOf(config, [], TARGETS)).toBe("https://prompthook.harbour-lane.workers.dev");
  expect(addressOf(config, ["hooks.example.com"], TARGETS)).toBe("https://hooks.example.com");
  expect(() => addressOf(config, [], ["example.com/hooks/*"])).toThrow("--url");
});
