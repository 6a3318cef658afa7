import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/local/project.ts";
import { BARE } from "../support/processes.ts";
import { folderUntilEnd } from "../support/until-end.ts";

const temporary = await folderUntilEnd();

/** Runs the demo on the embedded model, with nothing of this shell's environment but the way to its programs. */
async function demo(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ["scripts/demo.ts", ...args], {
    cwd: ROOT,
    env: { ...BARE, TMPDIR: temporary, DEFAULT_MODEL: "builtin/demo" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  await once(child, "close");
  return { code: child.exitCode, output };
}

test("shows a workbook and an e-mail made from three pages, on the embedded defaults", async () => {
  const { code, output } = await demo("--task", "spreadsheet");
  expect(output).toContain("run_code: Running code on 3 answers");
  expect(output).toContain('Sheet "prices", 9 rows:');
  expect(output).toContain("To: buyer@harbourlane.example");
  expect(output).toMatch(/Attached: prices\.xlsx \(\d+ bytes\)/);
  expect(output).toContain("Effect: send_email, e-mail to buyer@harbourlane.example");
  expect(code).toBe(0);
  expect(output).toContain("--task webhook");
  expect(output).not.toContain("--task spreadsheet");
  const [folder = ""] = (await readdir(temporary)).filter((name) => name.includes("workbook"));
  expect(await readdir(join(temporary, folder))).toEqual(["prices.xlsx"]);
});
