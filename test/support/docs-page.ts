import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import * as z from "zod";
import { LOOPBACK } from "../../scripts/local/ports.ts";
import { ROOT } from "../../scripts/local/project.ts";
import { sleep } from "../../src/lib/async.ts";
import { choosePort } from "./ports.ts";
import { BARE } from "./processes.ts";

const run = promisify(execFile);
const CLIENT = pathToFileURL(join(ROOT, "src/client/index.ts")).href;

/** Returns the blocks of code of a guide in this language, in their order. */
export async function readSnippets(name: string, language: string): Promise<string[]> {
  const text = await readFile(join(ROOT, `docs/${name}.md`), "utf8");
  const blocks = text.matchAll(/^( *)```(\w+)\n(.*?)^ *```$/gms);
  return [...blocks]
    .filter(([, , lang]) => lang === language)
    .map(([, indent = "", , block = ""]) => block.replaceAll(new RegExp(`^${indent}`, "gm"), ""));
}

/** Runs the blocks of a guide in one language as one program, and returns what it writes. */
export async function runProgram(
  name: string,
  language: "ts" | "python",
  variables: Record<string, string>,
): Promise<string> {
  const source = (await readSnippets(name, language)).join("\n");
  const [command, args] =
    language === "python"
      ? ["python3", ["-B", "-c", source]]
      : [
          process.execPath,
          [
            "--input-type=module-typescript",
            "--eval",
            source.replace('"prompthook"', JSON.stringify(CLIENT)),
          ],
        ];
  const { NODE_COMPILE_CACHE } = process.env;
  const paths = { NODE_COMPILE_CACHE, PYTHONPATH: join(ROOT, "clients/python") };
  const env = { ...BARE, ...paths, ...variables };
  const { stdout } = await run(command, args, { cwd: ROOT, env });
  return stdout;
}

/** Runs a command as a reader would, in a shell with these variables, and answers what it wrote. */
export async function runInShell(
  command: string,
  variables: Record<string, string>,
): Promise<string> {
  const env = { ...BARE, ...variables };
  const { stdout } = await run("sh", ["-c", command], { env });
  return stdout;
}

export const json = z.record(z.string(), z.unknown());

/** Starts a program of a guide that takes in callbacks, with our own client from its source. */
export async function startReceiver(program: string, secret: string) {
  const port = await choosePort();
  const source = program.replace(/"prompthook(?:\/verify)?"/, JSON.stringify(CLIENT));
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), CALLBACK_SECRET: secret },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await untilListening(port);
  return {
    url: `http://${LOOPBACK}:${port}/`,
    /** Waits for the next line that it writes. */
    line: async () => String((await once(child.stdout, "data"))[0]).trim(),
    async close() {
      child.kill();
      await once(child, "exit");
    },
  };
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, LOOPBACK);
    const listens = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (listens) return;
    await sleep(50);
  }
}
