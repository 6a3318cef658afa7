import { describe, expect, it } from "vitest";
import * as z from "zod";
import { exampleOf } from "../../../../src/http/openapi/example.ts";

describe("the example of a schema", () => {
  it("says what is known already, as far as the schema takes it", () => {
    const schema = z.object({ name: z.string(), secret: z.object({ set: z.literal(true) }) });
    const known = { name: "on call", secret: "a-secret-of-yours", further: 1 };
    expect(exampleOf(schema, known)).toEqual({ name: "on call", secret: { set: true } });
  });

  it("leaves out optional fields that nothing is known of, and has those with a default", () => {
    const schema = z.object({
      comment: z.string().optional(),
      reason: z.string().optional(),
      limit: z.int().default(3),
    });
    const known = { comment: "Go ahead." };
    expect(exampleOf(schema, known)).toEqual({ comment: "Go ahead.", limit: 3 });
  });

  it("is refused for a schema that nothing fits", () => {
    expect(() => exampleOf(z.object({ code: z.string().regex(/^q{9}$/) }))).toThrow("code");
  });
});
