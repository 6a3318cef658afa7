import { describe, expect, it } from "vitest";
import { referencesOf, templateFault } from "../../../src/workflows/inputs.ts";

describe("the references of a prompt", () => {
  it("are the names in double braces, each once, spaces aside", () => {
    expect(referencesOf("Greet {{name}} of {{ city }}, then {{name}} again.")).toEqual([
      "name",
      "city",
    ]);
  });

  it("are none where the braces are something else", () => {
    expect(referencesOf('{"a": {"b": 1}} and { {x} }')).toEqual([]);
  });

  it("must all be declared", () => {
    expect(templateFault("Greet {{name}}.", ["name"])).toBeNull();
    expect(templateFault("Greet {{nmae}}.", ["name", "city"])).toEqual({
      path: "prompt",
      rule: "reference",
      message: "refers to the undeclared input {{nmae}}; declared are name, city",
    });
    expect(templateFault("Greet {{}}.", [])?.message).toContain("the workflow has none");
  });
});
