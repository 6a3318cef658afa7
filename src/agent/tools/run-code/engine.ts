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

/** A new engine in a wiped memory, without traces of the previous one. */
export interface QuickJsEngine {
  runtime: QuickJSRuntime;
  context: QuickJSContext;
  /** Sets the fuel for the next computation. */
  refuel(fuel: number): void;
  /** Whether a program's whole memory was in use at some time. */
  memoryWasFull(): boolean;
  /** Whether the last computation ran out of fuel. The engine is unusable then. */
  outOfFuel(): boolean;
}

/** Imports the glue statically, so that nothing is resolved by name at run time. */
const VARIANT: QuickJSSyncVariant = {
  type: "sync",
  importFFI: async () => QuickJSFFI,
  importModuleLoader: async () => loadGlue,
};

/** The memory pages that the engine needs to start. */
const FIRST_PAGES = 256;

/** Creates a memory for engines. */
export function newMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: WASM_PAGES });
}

/** Starts the metered QuickJS built by `scripts/quickjs` in a wiped memory. */
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
    // The engine allocates from the bottom up; the memory's size says nothing about this program.
    memoryWasFull: () =>
      memory.buffer.byteLength > MEMORY_BYTES &&
      new Uint32Array(memory.buffer, MEMORY_BYTES).some((word) => word !== 0),
    outOfFuel: () => meter.value < 0,
  };
}

function meterOf(instance: WebAssembly.Instance | undefined): WebAssembly.Global {
  const fuel = instance?.exports.fuel;
  if (fuel instanceof WebAssembly.Global) return fuel;
  throw new Error("The QuickJS engine has no meter. Build it with npm run quickjs.");
}
