import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../local/project.ts";
import { meter } from "./meter.ts";

/** Where the engine of `run_code` lies. It is checked in: a Worker compiles no bytes that it makes. */
export const METERED = join(ROOT, "src/agent/tools/run-code/quickjs.wasm");

/** The engine as its package has it, with a meter. */
export async function meteredQuickjs(): Promise<Uint8Array> {
  const original = import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
  return meter(await readFile(fileURLToPath(original)));
}

if (import.meta.main) await writeFile(METERED, await meteredQuickjs());
