import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../../src/contract/json.ts";
import { runCodeInput } from "../../../../../src/contract/tools/data.ts";
import { nodeSandbox } from "../../../../support/sandbox.ts";

const AWKWARD = ["__proto__", "constructor", "toJSON", "length", "\0", "\ud800", "\u2028", "é"];
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...AWKWARD));
/** Any JSON, with the keys and texts that have broken others. */
const anyJson = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.array(tie("value"), { maxLength: 5 }),
    fc
      .array(fc.tuple(text, tie("value")), { maxLength: 5 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value;

describe("a value", () => {
  it("passes through as input, answer and result unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(anyJson, anyJson, async (input, answer) => {
        const code = "return {input, answers}";
        const outcome = await nodeSandbox.run({ code, input, answers: [answer] });
        expect(outcome).toEqual({
          ok: true,
          content: { value: { input, answers: [answer] }, console: [], cut: false },
        });
        expect(JSON.stringify(outcome.ok && outcome.content.value)).toBe(
          JSON.stringify({ input, answers: [answer] }),
        );
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it("may fill the size limit, and not exceed it", async () => {
    const fits = { code: "return input", input: "x".repeat(400_000), answers: [] };
    const answers = Array.from({ length: 18 }, () => fits.input);
    expect(await nodeSandbox.run({ ...fits, answers })).toMatchObject({ ok: true });
    expect(await nodeSandbox.run({ ...fits, answers: [...answers, ...answers] })).toMatchObject({
      ok: false,
      error: { code: "memory_limit", message: expect.stringContaining("8 MiB") },
    });
  });
});

it("programs are isolated from one another, at the same time and after memory runs out", async () => {
  const run = (code: string) => nodeSandbox.run({ code, input: null, answers: [] });
  const full = await run("const a = []; for (;;) a.push('secret' + a.length);");
  expect(full).toMatchObject({ ok: false, error: { code: "memory_limit" } });
  // Told from the memory's being used up by what this program itself has written.
  expect(await run("throw null")).toMatchObject({ error: { code: "code_error" } });
  const numbers = Array.from({ length: 8 }, (_, index) => index);
  const codes = numbers.map(
    (n) => `const before = globalThis.n; globalThis.n = ${n}; await 0; return [before ?? null, n]`,
  );
  const outcomes = await Promise.all(codes.map(run));
  expect(outcomes.map((outcome) => outcome.ok && outcome.content.value)).toEqual(
    numbers.map((n) => [null, n]),
  );
});

it("any text gives an answer or an error, never an internal fault", async () => {
  const fragment = fc.constantFrom(
    ..."return |{|}|(|)|=>|await |`|${|/|*/|//|\n|1|'|\0|throw |for(;;)|input|function |\ud800|#".split(
      "|",
    ),
  );
  const code = fc.oneof(
    fc.string({ unit: "binary", minLength: 1 }),
    fc.array(fragment, { minLength: 1, maxLength: 12 }).map((parts) => parts.join("")),
  );
  await fc.assert(
    fc.asyncProperty(code, async (body) => {
      const input = runCodeInput.parse({ code: body });
      const outcome = await nodeSandbox.run({ code: input.code, input: null, answers: [] });
      if (!outcome.ok) expect(outcome.error.code).not.toBe("engine_error");
    }),
    { numRuns: 60 },
  );
}, 60_000);
