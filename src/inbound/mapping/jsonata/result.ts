import type { PayloadValue } from "../../../contract/inbound/payload.ts";
import { isFunction } from "./functional.ts";

type Plain = { ok: true; value: PayloadValue } | { ok: false; message: string };

/** A result of the library as a value: without its marks on lists, nothing as null. */
export function plainValue(result: unknown): Plain {
  try {
    return { ok: true, value: plain(result) };
  } catch (error) {
    if (error instanceof NoValue) return { ok: false, message: error.message };
    throw error;
  }
}

class NoValue extends Error {}

function plain(result: unknown): PayloadValue {
  if (result === undefined || result === null) return null;
  if (typeof result === "string" || typeof result === "boolean") return result;
  if (typeof result === "number") {
    if (Number.isFinite(result)) return result;
    throw new NoValue("gives a number that is not finite");
  }
  if (Array.isArray(result)) return Array.from(result, plain);
  if (typeof result !== "object" || isFunction(result)) throw new NoValue("gives a function");
  return Object.fromEntries(Object.entries(result).map(([name, member]) => [name, plain(member)]));
}
