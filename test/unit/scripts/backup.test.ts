import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { backUpAccount, restoreAccount } from "../../../scripts/backup/accounts.ts";
import { copyState, restoreState } from "../../../scripts/backup/state.ts";
import { folderOfTest } from "../../support/until-end.ts";

const SERVICE = { url: "https://prompthook.example.com", adminToken: "token" };
const ACCOUNT = "acc_8sKd02LmQx7Z";
const PARTS = ["account", "records"];

let folder: string;
/** The paths of the requests that the service received, below the account's. */
let received: string[];

beforeEach(async () => {
  folder = await folderOfTest();
  received = [];
  vi.stubGlobal("fetch", async (request: Request) => answer(request));
});

afterEach(() => void vi.unstubAllGlobals());

/** Each part has two pages. */
function answer({ method, url }: Request): Response {
  const { pathname, searchParams } = new URL(url);
  const path = pathname.split(ACCOUNT)[1] ?? "/reseal";
  received.push(`${method} ${path}`);
  if (path === "/backup") return Response.json({ parts: PARTS, keys: ["9f86d081"] });
  if (path === "/reseal") {
    return Response.json({ accounts: 0, resealed: 0, lost: 0, keys: [], nextCursor: null });
  }
  if (path !== "/backup/page") return new Response(null, { status: 204 });
  // Both separators stand in JSON as they are.
  const rows = [[1, "first\u2028second\u2029third"]];
  const tables = [{ table: "notes", columns: ["id", "text"], rows }];
  const page = { part: searchParams.get("part"), schema: 1, tables };
  return Response.json({ page, nextCursor: searchParams.has("cursor") ? null : "second" });
}

async function backUp(): Promise<{ file: string; lines: string[] }> {
  const file = join(folder, `${ACCOUNT}.jsonl`);
  await backUpAccount(SERVICE, ACCOUNT, file);
  received = [];
  return { file, lines: (await readFile(file, "utf8")).split("\n").slice(0, -1) };
}

test("restores every page of an account's file, then opens its parts", async () => {
  const { file } = await backUp();
  await restoreAccount(SERVICE, file);
  const opened = ["POST /restore/open", "POST /reseal"];
  expect(received).toEqual([...Array(4).fill("POST /restore"), ...opened]);
});

test("sends nothing of an account's file that lacks its end", async () => {
  const { file, lines } = await backUp();
  for (let kept = 1; kept < lines.length; kept += 1) {
    await writeFile(file, `${lines.slice(0, kept).join("\n")}\n`);
    await expect(restoreAccount(SERVICE, file)).rejects.toThrow(`The end of ${file} is missing.`);
  }
  expect(received).toEqual([]);
});

test("names the line of an account's file that is damaged, and sends nothing", async () => {
  const { file, lines } = await backUp();
  await writeFile(file, lines.join("\n").slice(0, -40));
  await expect(restoreAccount(SERVICE, file)).rejects.toThrow(/damaged in line \d\. Restore from/);
  const [first = "", second = "", , ...others] = lines;
  await writeFile(file, [first, second, ...others].join("\n"));
  await expect(restoreAccount(SERVICE, file)).rejects.toThrow("damaged in line 5.");
  await writeFile(file, lines.join("\n").replace('[1,"first', '[2,"first'));
  await expect(restoreAccount(SERVICE, file)).rejects.toThrow("is not as it was written.");
  await writeFile(file, [...lines, lines.at(-2)].join("\n"));
  await expect(restoreAccount(SERVICE, file)).rejects.toThrow("damaged in line 7.");
  expect(received).toEqual([]);
});

test("restores files of versions 1 and 2, of which the first has no end, if they have every part", async () => {
  const { file, lines } = await backUp();
  const earlier = lines.slice(0, -1).map((line) => line.replace('"v":3', '"v":1'));
  await writeFile(file, earlier.slice(0, 3).join("\n"));
  await expect(restoreAccount(SERVICE, file)).rejects.toThrow("is missing");
  await writeFile(file, earlier.join("\n"));
  await expect(restoreAccount(SERVICE, file)).resolves.toBe(ACCOUNT);
  const second = earlier.map((line) => line.replace('"v":1', '"v":2'));
  await writeFile(file, [...second, '{"pages":4}'].join("\n"));
  await expect(restoreAccount(SERVICE, file)).resolves.toBe(ACCOUNT);
});

test("explains that there is no state to copy, or none in the folder to restore", async () => {
  const missing = join(folder, "missing");
  const copy = join(folder, "copy");
  await expect(copyState(missing, copy)).rejects.toThrow(`${missing} does not exist.`);
  await expect(restoreState(missing, copy)).rejects.toThrow("is not the state of a service.");
  const empty = join(folder, "empty");
  await mkdir(empty);
  await expect(copyState(empty, copy)).rejects.toThrow("is not the state of a service.");
});
