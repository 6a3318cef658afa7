import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createSandbox } from "../../src/agent/tools/run-code/quickjs.ts";
import type { Sandbox } from "../../src/agent/tools/run-code/sandbox.ts";

const ENGINE = join(import.meta.dirname, "../../src/agent/tools/run-code/quickjs.wasm");

let loading: Promise<Sandbox> | null = null;

async function load(): Promise<Sandbox> {
  return createSandbox(await WebAssembly.compile(await readFile(ENGINE)));
}

/** The real sandbox, in Node: its engine is read at the first use. */
export const nodeSandbox: Sandbox = {
  async run(program) {
    loading ??= load();
    return (await loading).run(program);
  },
};
