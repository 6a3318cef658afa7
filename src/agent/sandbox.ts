import type { Sandbox } from "./ports/sandbox.ts";
import { FUEL } from "./tools/run-code/limits.ts";

let sandbox: Sandbox | null = null;

/** The sandbox of a Worker. Its engine is loaded and compiled at the first use, not at the start. */
export const workerSandbox: Sandbox = {
  async run(program) {
    const [{ createSandbox }, { default: engine }] = await Promise.all([
      import("./tools/run-code/quickjs.ts"),
      import("./tools/run-code/quickjs.wasm"),
    ]);
    sandbox ??= createSandbox(engine, FUEL);
    return sandbox.run(program);
  },
};
