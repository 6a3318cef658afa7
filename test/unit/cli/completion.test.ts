import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { runProgram } from "../../support/cli/terminal.ts";

const run = async (...argv: string[]) => (await runProgram("http://127.0.0.1:1", argv)).stdout;
const complete = async (...words: string[]) => (await run("complete", ...words)).trim().split("\n");

it("completes the words of commands, and the options of a command", async () => {
  expect(await complete()).toContain("decisions");
  expect(await complete("decisions")).toEqual(["list", "show", "approve", "deny", "answer"]);
  expect(await complete("decisions", "list")).toEqual(
    expect.arrayContaining(["--state", "--limit", "--json", "--profile"]),
  );
  expect(await complete("endpoints")).toEqual(expect.arrayContaining(["update", "--limit"]));
  expect(await complete("fly")).toEqual([""]);
});

it("names the supported shells", async () => {
  const { exit, stderr } = await runProgram("http://127.0.0.1:1", ["completion", "tcsh"]);
  expect(exit).toBe(2);
  expect(stderr).toContain("Choose a shell: bash, zsh, fish.");
  expect(await run("completion", "zsh")).toContain("compdef _prompthook prompthook");
  expect(await run("completion", "fish")).toContain("complete -c prompthook");
});

it("completes words in bash", async () => {
  const script = `${await run("completion", "bash")}
    prompthook() { [ "$1 $2" = "complete decisions" ] && printf 'list\\napprove\\nanswer\\n'; }
    COMP_WORDS=(prompthook decisions a) COMP_CWORD=2
    _prompthook
    echo "\${COMPREPLY[@]}"`;
  expect(execFileSync("bash", ["-c", script], { encoding: "utf8" })).toBe("approve answer\n");
});
