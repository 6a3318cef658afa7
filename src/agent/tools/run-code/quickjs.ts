import type { Json } from "../../../contract/json.ts";
import type { RunOutcome, Sandbox } from "../../ports/sandbox.ts";
import { storedBytes } from "../page/limits.ts";
import { isWithinDepth } from "../process-data/json/shape.ts";
import { type ConsoleLines, consoleLines } from "./console.ts";
import { type Engine, newMemory, startEngine } from "./engine.ts";
import { givenTooMuch, limitReached, returnedTooMuch, tooDeep, withConsole } from "./failure.ts";
import { INPUT_BYTES, VALUE_BYTES, VALUE_DEPTH } from "./limits.ts";
import { evaluate, type Text } from "./program.ts";

/**
 * A sandbox of metered QuickJS. Each program has an engine of its own, which is dropped with it, and
 * may compute as much as `fuel` lasts. The memory is wiped and used again: an isolate has 128 MB, and
 * its garbage collector let 25 dropped memories grow to 440 MB.
 */
export function createSandbox(module: WebAssembly.Module, fuel: number): Sandbox {
  let spare: WebAssembly.Memory | null = null;
  return {
    async run({ code, input, answers }) {
      const given = JSON.stringify([input, answers]);
      if (new TextEncoder().encode(given).byteLength > INPUT_BYTES) {
        return { ok: false, error: givenTooMuch() };
      }
      // Another run may come while this one waits for its engine, and needs a memory of its own.
      const memory = spare ?? newMemory();
      spare = null;
      const engine = await startEngine(module, memory);
      const console = consoleLines();
      const text = guarded(engine, () => evaluate(engine, { code, given, fuel }, console));
      spare = memory;
      if (!text.ok) return { ok: false, error: withConsole(text.error, console.lines) };
      return contentOf(text.value, console);
    },
  };
}

/**
 * Whatever the engine throws into the host is the program's doing: the trap when the fuel is used
 * up, the host's stack being full, an assertion. The engine cannot be used after it.
 */
function guarded(engine: Engine, run: () => Text): Text {
  try {
    return run();
  } catch (error) {
    if (engine.outOfFuel()) return { ok: false, error: limitReached("time_limit") };
    if (error instanceof RangeError) return { ok: false, error: limitReached("stack_limit") };
    return { ok: false, error: limitReached("engine_error") };
  }
}

function contentOf(text: string, { lines, cut }: ConsoleLines): RunOutcome {
  const value: Json = JSON.parse(text);
  if (!isWithinDepth(value, VALUE_DEPTH)) return { ok: false, error: tooDeep() };
  const bytes = storedBytes(value);
  if (bytes > VALUE_BYTES) return { ok: false, error: returnedTooMuch(bytes) };
  return { ok: true, content: { value, console: [...lines], cut } };
}
