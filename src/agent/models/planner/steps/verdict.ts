import type { Part } from "../answer/parts.ts";
import { truthOf } from "../answer/yes-no.ts";
import type { Condition, Test } from "../plan/conditions.ts";

/** Whether what is to be sent may be. */
export type Verdict =
  | { kind: "free" }
  | { kind: "holds"; parts: Part[] }
  | { kind: "fails"; parts: Part[] }
  | { kind: "unknown"; parts: Part[] };

function figureOf({ data, records }: Part): number | null {
  if (typeof data === "number") return data;
  const [record] = records;
  const values = record === undefined || records.length > 1 ? [] : Object.values(record);
  const numbers = values.filter((value) => typeof value === "number");
  return numbers.length === 1 ? (numbers[0] ?? null) : null;
}

function passes(test: Test, part: Part): boolean | null {
  if (part.status === "failed") return null;
  if (test.kind === "compare") {
    const figure = figureOf(part) ?? (part.status === "nothing" ? 0 : null);
    if (figure === null) return null;
    const { than, number } = test;
    const holds = {
      ">": figure > number,
      ">=": figure >= number,
      "<": figure < number,
      "<=": figure <= number,
      "=": figure === number,
    };
    return holds[than];
  }
  const truth = truthOf(part);
  return truth === null || test.kind === "exists" ? truth : !truth;
}

/**
 * Decides a condition by the answer to its question. One that was not understood in full is unknown:
 * nothing is sent by doubt.
 */
export function verdictOf(
  condition: Condition | null,
  asked: { parts: Part[]; sure: boolean },
  answers: readonly Part[],
): Verdict {
  if (condition === null) return { kind: "free" };
  if (condition.kind === "unreadable") return { kind: "unknown", parts: [] };
  const parts = condition.kind === "answer" ? [...answers] : asked.parts;
  const test: Test = condition.kind === "answer" ? { kind: "exists" } : condition.test;
  const [only, ...others] = parts;
  if (only === undefined || others.length > 0) return { kind: "unknown", parts: [] };
  const passed = asked.sure ? passes(test, only) : null;
  if (passed === null) return { kind: "unknown", parts: [] };
  const own = condition.kind === "answer" ? [] : parts;
  return { kind: passed !== condition.negated ? "holds" : "fails", parts: own };
}
