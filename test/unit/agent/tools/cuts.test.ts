import { expect, it } from "vitest";
import { basisOf, traced } from "../../../../src/agent/tools/cuts.ts";
import type { NewOutput } from "../../../../src/agent/tools/tool.ts";
import { toolContext } from "./support.ts";

const context = toolContext({ cuts: { page: "2 MiB", rows: "3 of 9 rows" }, cutReads: ["page"] });
const answer = { ok: true, content: null } as const;
const output: NewOutput = {
  label: "Sum",
  nodeType: "TEXT",
  type: "text",
  mediaType: "text/plain",
  value: "3",
};

it("marks a result and its outputs if the result or one that it is based on was cut", () => {
  const outputs = [output];
  expect(traced({ answer, basedOn: ["whole"], outputs }, "local", context)).toEqual({
    answer,
    basedOn: ["whole"],
    outputs,
  });
  expect(traced({ answer, basedOn: ["page", "rows"], outputs }, "local", context)).toMatchObject({
    cuts: ["2 MiB", "3 of 9 rows"],
    outputs: [{ truncated: true }],
  });
  expect(traced({ answer, cut: "2 MiB", basedOn: ["page"] }, "read", context)).toMatchObject({
    cuts: ["2 MiB"],
  });
});

it("marks an effect by its named sources, else by all that the model had read", () => {
  const isSentCut = (basedOn?: string[]) =>
    traced({ answer, ...(basedOn && { basedOn }) }, "effect", context).isSentCut;
  expect(isSentCut(["whole"])).toBeUndefined();
  expect(isSentCut(["rows"])).toBe(true);
  expect(isSentCut()).toBe(true);
  expect(isSentCut([])).toBe(true);
  expect(traced({ answer }, "read", context)).toEqual({ answer });
});

it("counts each call once as a basis of data", () => {
  expect(basisOf(["a", "b", "a"], context)).toEqual(["a", "b"]);
  expect(basisOf(undefined, context)).toEqual(["page"]);
});
