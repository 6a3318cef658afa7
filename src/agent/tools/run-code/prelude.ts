/** The engine's file name of the user's code, which identifies its stack frames. */
export const CODE_FILE = "code.js";

/** The most characters of an explanation that crosses to the host. */
const MAX_EXPLANATION = 4_000;

/**
 * Runs in the engine before the user's code. It keeps the builtins that it needs, so that a program
 * cannot overwrite them, and returns the functions that the host calls. All values cross as JSON text,
 * which has no NUL or lone surrogate that a C string would lose.
 */
export const PRELUDE = `(emit, maxLine) => {
  "use strict";
  const { parse, stringify } = JSON;
  const { Error, String, TypeError } = globalThis;
  const { isArray } = Array;
  const apply = Reflect.apply;
  const { slice } = String.prototype;
  const { toString } = Object.prototype;
  const short = (text, most) => apply(slice, text, [0, most]);

  const plain = (key, value) => {
    if (typeof value === "bigint") return String(value) + "n";
    if (typeof value === "undefined") return "undefined";
    if (typeof value === "function") return "[Function: " + (value.name || "anonymous") + "]";
    return typeof value === "symbol" ? String(value) : value;
  };
  const show = (value) => {
    if (typeof value !== "object" || value === null) return String(plain("", value));
    try {
      if (value instanceof Error) return value.name + ": " + value.message;
      return stringify(value, plain) ?? apply(toString, value, []);
    } catch {
      return isArray(value) ? "[Array]" : "[Object]";
    }
  };

  let open = true;
  const write = (...values) => {
    if (!open) return;
    let line = "";
    for (let index = 0; index < values.length; index++) {
      line += (index === 0 ? "" : " ") + show(values[index]);
    }
    open = emit(stringify(short(line, maxLine)));
  };
  globalThis.console = { log: write, info: write, warn: write, error: write, debug: write };

  return {
    parse,
    /** The value as JSON text; "none" for what JSON has no word for. */
    text: (value) => {
      if (value === undefined) return "null";
      const text = stringify(value);
      if (text === undefined) throw new TypeError("a " + typeof value + " is no JSON");
      return text;
    },
    explain: (thrown) => {
      const isError = thrown instanceof Error;
      const text = (value) => short(typeof value === "string" ? value : show(value), ${MAX_EXPLANATION});
      return stringify(
        isError
          ? { __proto__: null, name: text(thrown.name), message: text(thrown.message), stack: text(thrown.stack) }
          : { __proto__: null, name: "", message: text(thrown), stack: "" },
      );
    },
  };
}`;
