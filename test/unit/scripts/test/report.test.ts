import { describe, expect, test } from "vitest";
import { failedTests, failuresOf } from "../../../../scripts/test/report.ts";

const ESC = "\u001b";

/** What vitest 4.1 prints of one test that fails, with lines of workerd in between. */
const RED = `
${ESC}[1m RUN ${ESC}[22m v4.1.12 /project

 ✓  unit  test/unit/fine.test.ts (1 test) 3ms
exception = kj/async-io.c++:1697: disconnected: abortRead() has been called
stack: /project/workerd@5d43510 /project/workerd@5d43634

${ESC}[31m⎯⎯⎯⎯⎯⎯⎯${ESC}[39m${ESC}[1m${ESC}[41m Failed Tests 1 ${ESC}[49m${ESC}[22m⎯⎯⎯⎯⎯⎯⎯

${ESC}[41m${ESC}[1m FAIL ${ESC}[22m${ESC}[49m ${ESC}[30m${ESC}[42m unit ${ESC}[49m${ESC}[39m test/unit/sum.test.ts${ESC}[2m > ${ESC}[22madds
AssertionError: expected 2 to be 3
stack: /project/workerd@5d43510

${ESC}[2m Test Files ${ESC}[22m 1 failed | 1 passed (2)
${ESC}[2m      Tests ${ESC}[22m 1 failed | 1 passed (2)
${ESC}[2m   Start at ${ESC}[22m 18:24:25
${ESC}[2m   Duration ${ESC}[22m 220ms
`;

describe("the report of a lane", () => {
  test("names each failed test once", () => {
    expect(failedTests(RED + RED)).toEqual(["unit  test/unit/sum.test.ts > adds"]);
  });

  test("shows the failures without earlier output and the runtime's", () => {
    const lines = failuresOf(RED);
    expect(lines[0]).toContain("Failed Tests 1");
    expect(lines).toContain("AssertionError: expected 2 to be 3");
    expect(lines.join("\n")).not.toMatch(/stack:|exception|fine/);
  });

  test("shows the end of a lane that failed before its tests ran", () => {
    const output = `${"ok\n".repeat(100)}src/index.ts(3,1): error TS2304: Cannot find name 'x'.`;
    const lines = failuresOf(output);
    expect(lines).toHaveLength(50);
    expect(lines.at(-1)).toBe("src/index.ts(3,1): error TS2304: Cannot find name 'x'.");
  });
});
