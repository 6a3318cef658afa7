import loadGlue from "@jitl/quickjs-wasmfile-release-sync/emscripten-module";
import { QuickJSFFI } from "@jitl/quickjs-wasmfile-release-sync/ffi";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import { MEMORY_BYTES, STACK_BYTES, WASM_PAGES } from "./limits.ts";

/** A new engine in a wiped memory: whatever happened in the one before is gone. */
export interface QuickJsEngine {
  runtime: QuickJSRuntime;
  context: QuickJSContext;
  /** What may be computed from now on. */
  refuel(fuel: number): void;
  /** Whether all the memory that a program may use was in use at some time. */
  memoryWasFull(): boolean;
  /** Whether the last computation ended because its fuel did. Nothing can be called then any more. */
  outOfFuel(): boolean;
}

/** The glue comes with the package, so that nothing is looked up by name at run time. */
const VARIANT: QuickJSSyncVariant = {
  type: "sync",
  importFFI: async () => QuickJSFFI,
  importModuleLoader: async () => loadGlue,
};

/** The pages that the engine asks for at its start. */
const FIRST_PAGES = 256;

/** A memory for engines. */
export function newMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: WASM_PAGES });
}

/** Starts the metered QuickJS that `scripts/quickjs` makes, in a memory that is wiped first. */
export async function startEngine(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
): Promise<QuickJsEngine> {
  new Uint8Array(memory.buffer).fill(0);
  const started: WebAssembly.Instance[] = [];
  const variant = newVariant(VARIANT, {
    emscriptenModule: {
      wasmMemory: memory,
      instantiateWasm(imports, onSuccess) {
        const instance = new WebAssembly.Instance(module, imports);
        started.push(instance);
        onSuccess(instance);
        return instance.exports;
      },
    },
  });
  const quickjs = await newQuickJSWASMModuleFromVariant(variant);
  const meter = meterOf(started[0]);
  const runtime = quickjs.newRuntime();
  runtime.setMemoryLimit(MEMORY_BYTES);
  runtime.setMaxStackSize(STACK_BYTES);
  return {
    runtime,
    context: runtime.newContext(),
    refuel: (units) => {
      meter.value = units;
    },
    // The engine takes its memory from the bottom up, and its size says nothing about this run.
    memoryWasFull: () => wasWritten(memory, MEMORY_BYTES),
    outOfFuel: () => meter.value < 0,
  };
}

/** Whether anything from this place on was ever written. */
function wasWritten({ buffer }: WebAssembly.Memory, from: number): boolean {
  return buffer.byteLength > from && new Uint32Array(buffer, from).some((word) => word !== 0);
}

function meterOf(instance: WebAssembly.Instance | undefined): WebAssembly.Global {
  const fuel = instance?.exports.fuel;
  if (fuel instanceof WebAssembly.Global) return fuel;
  throw new Error("the engine has no meter; make it with npm run quickjs");
}
