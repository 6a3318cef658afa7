import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { program } from "../../../src/cli/program.ts";
import { testTerminal } from "../../support/cli/terminal.ts";
import { answer, refuse, type ScriptedService, serving } from "../../support/scripted-service.ts";
import { CREDITS } from "../../support/states.ts";
import { folderOfTest } from "../../support/until-end.ts";

const CALLER = { accountId: "acc_1", name: "Acme", key: {}, by: {} };

let home: string;
beforeEach(async () => {
  home = await folderOfTest();
});

/** Runs a command line of somebody with this home and no other settings. */
async function cli(argv: string[], { input = "", env = {} } = {}) {
  const terminal = testTerminal({ env: { HOME: home, ...env }, input });
  const exit = await program(argv, terminal);
  return { exit, stdout: terminal.shown("stdout"), stderr: terminal.shown("stderr") };
}

const keysOf = ({ asked }: ScriptedService) => asked.map(({ headers }) => headers.authorization);

describe("login", () => {
  it("checks the key, and stores it readable only by its user", async () => {
    const service = await serving(answer(CALLER), answer(CREDITS));
    const login = await cli(["login", "--url", service.url], { input: "ph_live_mine\n" });
    expect(login.stdout).toContain('Signed in to Acme. The profile "default" is in ');
    const path = join(home, ".config/prompthook/profiles.json");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, "utf8")).toContain("ph_live_mine");
    expect((await cli(["credits"])).exit).toBe(0);
    expect(keysOf(service)).toEqual(["Bearer ph_live_mine", "Bearer ph_live_mine"]);
  });

  it("stores no key that the service refuses", async () => {
    const service = await serving(refuse(401, "unauthorized"));
    const { exit } = await cli(["login", "--url", service.url, "--api-key", "ph_live_wrong"]);
    expect(exit).toBe(3);
    expect((await cli(["credits"])).stderr).toContain("No service URL.");
  });

  it("does not send the key to another service", async () => {
    const mine = await serving(answer(CALLER));
    const other = await serving(answer(CREDITS));
    await cli(["login", "--url", mine.url, "--api-key", "ph_live_mine"]);
    const { stderr } = await cli(["credits", "--url", other.url]);
    expect(stderr).toContain("No API key.");
    expect(other.asked).toEqual([]);
  });
});

describe("a profile", () => {
  it("of a folder is not one of a folder that is named prompthook.json", async () => {
    const folder = join(home, "files");
    await mkdir(join(folder, "prompthook.json"), { recursive: true });
    const args = ["apply", folder, "--profile", "live"];
    expect(await cli(args)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining(`has no profile "live"`),
    });
  });

  it("cannot be read from a file that is not JSON, or has other fields, which says where", async () => {
    await writeFile(join(home, "prompthook.json"), "{");
    const { exit, stderr } = await cli(["apply", home, "--profile", "live"]);
    expect(exit).toBe(2);
    expect(stderr).toContain("prompthook.json is not JSON: ");
    await writeFile(join(home, "prompthook.json"), '{"profiles": {}, "version": 1}');
    const unknown = await cli(["apply", home, "--profile", "live"]);
    expect(unknown.stderr).toContain("Unknown field `version`. Allowed: profiles.\n");
  });

  it("chooses the service of any command, and wins over the environment", async () => {
    const live = await serving(answer(CALLER), answer(CREDITS), answer(CREDITS));
    const args = ["--profile", "live"];
    await cli(["login", "--url", live.url, "--api-key", "ph_live_2", ...args]);
    const env = { PROMPTHOOK_URL: "http://127.0.0.1:1", PROMPTHOOK_API_KEY: "ph_live_3" };
    expect((await cli(["credits", ...args], { env })).exit).toBe(0);
    const named = { ...env, PROMPTHOOK_PROFILE: "live" };
    expect((await cli(["credits"], { env: named })).exit).toBe(0);
    expect(keysOf(live)).toEqual(Array(3).fill("Bearer ph_live_2"));
  });

  it("that is unknown is refused, with the known profiles and how to add it", async () => {
    const live = await serving(answer(CALLER));
    await cli(["login", "--url", live.url, "--api-key", "ph_live_2", "--profile", "live"]);
    const { exit, stderr } = await cli(["credits", "--profile", "lve"]);
    expect(exit).toBe(2);
    expect(stderr).toContain('has no profile "lve", only live. Run prompthook login --profile lve');
  });
});
