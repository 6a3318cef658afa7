import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./local/project.ts";
import { meter } from "./quickjs/meter.ts";

/** The engine of `run_code`. It is checked in because a Worker cannot compile bytes that it creates. */
export const METERED = join(ROOT, "src/agent/tools/run-code/quickjs.wasm");

/** Returns the engine of the npm package with a meter added. */
export async function meteredQuickjs(): Promise<Uint8Array> {
  const original = import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
  return meter(await readFile(fileURLToPath(original)));
}

if (import.meta.main) await writeFile(METERED, await meteredQuickjs());
