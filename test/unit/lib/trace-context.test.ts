import { expect, it } from "vitest";
import { continuedTrace, parseTraceparent } from "../../../src/lib/trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

it.each([
  [`00-${TRACE}-${SPAN}-01`, true],
  [`00-${TRACE}-${SPAN}-00`, true],
  [`cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`, true],
  [`ff-${TRACE}-${SPAN}-01`, false],
  [`00-${"0".repeat(32)}-${SPAN}-01`, false],
  [`00-${TRACE}-${"0".repeat(16)}-01`, false],
  [`00-${TRACE.toUpperCase()}-${SPAN}-01`, false],
  [`00-${TRACE}-${SPAN}`, false],
  [`00-${TRACE}-${SPAN}-01-more`, false],
  [`00-${TRACE}-${SPAN}-01,00-${TRACE}-${SPAN}-01`, false],
  [`cc-${TRACE}-${SPAN}-01more`, false],
  ["", false],
])("accepts %s as a parent: %s", (header, isValid) => {
  expect(parseTraceparent(header) !== null).toBe(isValid);
});

it.each([
  ["00", "00"],
  ["01", "01"],
  ["ff", "03"],
])("samples as the caller does: flags %s are sent on as %s", (flags, sent) => {
  const execution = { executionId: "e1", traceparent: `00-${TRACE}-${SPAN}-${flags}` };
  expect(continuedTrace(execution, "call_1").traceparent?.slice(-3)).toBe(`-${sent}`);
});

it("continues the trace of an execution with a new span, and sends nothing without one", () => {
  const execution = { executionId: "e1", traceparent: `00-${TRACE}-${SPAN}-01` };
  const { traceparent } = continuedTrace(execution, "call_1");
  expect(parseTraceparent(traceparent)).toMatchObject({ traceId: TRACE });
  expect(continuedTrace(execution, "call_1")).toEqual({ traceparent });
  expect(continuedTrace(execution, "call_2")).not.toEqual({ traceparent });
  expect(continuedTrace({ executionId: "e1" }, "call_1")).toEqual({});
});
