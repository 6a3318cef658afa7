import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { FUEL } from "../../src/agent/tools/run-code/limits.ts";
import { createSandbox } from "../../src/agent/tools/run-code/sandbox.ts";
import type { Sandbox } from "../../src/agent/tools/run-code.ts";

const ENGINE = join(import.meta.dirname, "../../src/agent/tools/run-code/quickjs.wasm");

let module: Promise<WebAssembly.Module> | null = null;

/** The real sandbox in Node, with this much fuel. Its engine is read at the first use. */
export function nodeSandboxOf(fuel: number): Sandbox {
  let sandbox: Sandbox | null = null;
  return {
    async run(program) {
      module ??= readFile(ENGINE).then((bytes) => WebAssembly.compile(bytes));
      const compiled = await module;
      sandbox ??= createSandbox(compiled, fuel);
      return sandbox.run(program);
    },
  };
}

/** The real sandbox, in Node, as it is deployed. */
export const nodeSandbox: Sandbox = nodeSandboxOf(FUEL);
