import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/**
 * What comes out when a text is pasted into a terminal: an interactive bash reads it line by line, with
 * its history expansion. On a machine without openssl a program of ours stands in for it.
 */
export async function pasted(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "prompthook-shell-"));
  try {
    if (!(await hasOpenssl())) await standIn(join(folder, "openssl"));
    return await bash(text, { PATH: [folder, process.env.PATH].join(delimiter), HOME: folder });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function bash(text: string, env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile("bash", ["--norc", "-i"], { env }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${error.message}\n${stderr}`)),
    );
    child.stdin?.end(`${text}\n`);
  });
}

function hasOpenssl(): Promise<boolean> {
  return new Promise((resolve) => {
    execFile("openssl", ["version"], (error) => resolve(error === null));
  });
}

/** `openssl dgst -<algorithm> -mac HMAC -macopt <key>` and `openssl base64`, as the commands use them. */
const STAND_IN = `#!${process.execPath}
const { createHmac } = require("node:crypto");
const input = require("node:fs").readFileSync(0);
const [command, ...options] = process.argv.slice(2);
if (command === "base64") {
  process.stdout.write(options.includes("-d") ? Buffer.from(String(input), "base64") : input.toString("base64"));
} else {
  const key = options[options.indexOf("-macopt") + 1];
  const bytes = key.startsWith("hexkey:") ? Buffer.from(key.slice(7), "hex") : Buffer.from(key.slice(4));
  const digest = createHmac(options[0].slice(1), bytes).update(input).digest();
  process.stdout.write(options.includes("-binary") ? digest : \`(stdin)= \${digest.toString("hex")}\\n\`);
}
`;

async function standIn(path: string): Promise<void> {
  await writeFile(path, STAND_IN);
  await chmod(path, 0o755);
}
