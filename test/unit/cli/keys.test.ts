import { afterEach, describe, expect, it } from "vitest";
import type { ApiKeyRecord } from "../../../src/contract/keys.ts";
import { runProgram } from "../../support/cli/terminal.ts";
import { answer, type ScriptedService, startScript } from "../../support/scripted-service.ts";
import { CREDITS } from "../../support/states.ts";

let service: ScriptedService | null = null;
afterEach(() => service?.close());

const key = (change: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
  keyId: "key_4kQ0mYb2Zt7RcX1a",
  name: "ci",
  scopes: ["credits:read"],
  last4: "abcd",
  createdAt: "2026-11-20T09:30:00.000Z",
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  ...change,
});

async function cli(argv: string[], body: unknown, status = 200) {
  service = await startScript(answer(body, status));
  return await runProgram(service.url, argv);
}

describe("keys list", () => {
  it.each<[Partial<ApiKeyRecord>, RegExp]>([
    [{}, / active +never +ci$/],
    [{ expiresAt: "2126-11-20T12:00:00.000Z" }, / until 2126-11-2\d \d\d:\d\d:\d\d +never +ci$/],
    [{ expiresAt: "2006-11-20T12:00:00.000Z" }, / expired +never +ci$/],
    [{ revokedAt: "2026-11-20T12:00:00.000Z" }, / revoked +never +ci$/],
  ])("tells of a key with %j how it stands", async (change, row) => {
    const { stdout } = await cli(["keys", "list"], { keys: [key(change)], nextCursor: null });
    expect(stdout.split("\n")[1]).toMatch(row);
  });
});

describe("keys rotate", () => {
  const made = { ...key({ keyId: "key_0000000000000000" }), apiKey: "ph_live_new" };
  const rotate = (...flags: string[]) => cli(["keys", "rotate", "key_old", ...flags], made, 201);

  it.each([
    [[], "key_old keeps working for 1 d."],
    [["--overlap-seconds", "3600"], "key_old keeps working for 1 h."],
    [["--overlap-seconds", "0"], "key_old no longer works."],
  ])("tells with %j how long the old key works, and shows the new one", async (flags, note) => {
    const { stdout, stderr } = await rotate(...flags);
    expect(stdout).toBe("ph_live_new\n");
    expect(stderr.trimEnd().split("\n").at(-1)).toBe(note);
  });
});

it("keys revoke and credits tell what became of it, and what is left", async () => {
  expect((await cli(["keys", "revoke", "key_old"], undefined, 204)).stdout).toBe("Revoked.\n");
  const balance = { availableCredits: 1_000, reservedCredits: 2, consumedCredits: 3 };
  const { stdout } = await cli(["credits"], { ...CREDITS, ...balance });
  expect(stdout).toBe("1000 credits available, 2 held, 3 used\n");
});
