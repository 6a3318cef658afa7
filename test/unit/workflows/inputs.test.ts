import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../src/contract/webhooks/payload.ts";
import type { InputType, WorkflowInput } from "../../../src/contract/workflow.ts";
import {
  checkInputs,
  definitionFaults,
  referencesOf,
  templateFault,
} from "../../../src/workflows/inputs.ts";

const input = (
  name: string,
  type: InputType,
  more: Partial<WorkflowInput> = {},
): WorkflowInput => ({ name, type, required: false, default: null, description: "", ...more });

const BIG = 12345678901234567890n;

describe("the inputs of an execution", () => {
  it("are unchanged if they are valid", () => {
    const given: Record<InputType, PayloadValue> = {
      ...{ string: "12", number: 1.5, integer: 3, boolean: false, object: { a: [1] } },
      ...{ array: [1, "x", null], timestamp: "2026-01-31T09:30:00+01:00" },
    };
    const types = Object.keys(given) as InputType[];
    const definitions = types.map((type) => input(type, type));
    expect(checkInputs(given, definitions)).toEqual({ ok: true, inputs: given });
  });

  it.each<[InputType, PayloadValue]>([
    ["string", 1],
    ["number", "1"],
    ["number", Number.NaN],
    ["integer", 1.5],
    ["boolean", "true"],
    ["timestamp", 1_700_000_000],
    ["timestamp", "2026-01-31"],
    ["timestamp", "2026-01-31T09:30:00"],
    ["timestamp", "2026-02-30T09:30:00Z"],
    ["object", []],
    ["array", {}],
    ["boolean", BIG],
    ["timestamp", BIG],
  ])("are not converted: a %s is not %s", (type, value) => {
    const checked = checkInputs({ it: value }, [input("it", type)]);
    expect(checked).toMatchObject({ ok: false, faults: [{ path: "it", rule: "type" }] });
  });

  it("report the expected and the received value in a fault", () => {
    const checked = checkInputs({ it: "x" }, [input("it", "integer")]);
    const message = 'must be a whole number; got the string "x"';
    expect(checked).toEqual({ ok: false, faults: [{ path: "it", rule: "type", message }] });
  });

  it("omit optional ones that are absent or null", () => {
    const definitions = [input("a", "string"), input("b", "number")];
    expect(checkInputs({ b: null }, definitions)).toEqual({ ok: true, inputs: {} });
  });

  it("fill absent ones with their default, even required ones", () => {
    const definitions = [
      input("a", "string", { default: "x" }),
      input("b", "number", { default: 0, required: true }),
      input("c", "boolean", { default: false }),
    ];
    const inputs = { a: "x", b: 0, c: true };
    expect(checkInputs({ b: null, c: true }, definitions)).toEqual({ ok: true, inputs });
  });

  it("report all faults at once: missing, unknown and mistyped ones", () => {
    const definitions = [input("a", "string", { required: true }), input("b", "number")];
    const checked = checkInputs({ b: "1", c: 1 }, definitions);
    expect(checked).toEqual({
      ok: false,
      faults: [
        {
          path: "c",
          rule: "unknown",
          message: "is not an input of the workflow; its inputs are a, b",
        },
        { path: "a", rule: "required", message: "is required" },
        { path: "b", rule: "type", message: 'must be a number; got the string "1"' },
      ],
    });
  });

  it("refuse any if the workflow declares none", () => {
    const message = "is not an input; the workflow has none";
    const faults = [{ path: "a", rule: "unknown", message }];
    expect(checkInputs({ a: 1 }, [])).toEqual({ ok: false, faults });
  });

  it("list a limited number of unknown names", () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`n${at}`, 1]));
    const checked = checkInputs(many, [input("a", "string")]);
    expect(checked.ok ? 0 : checked.faults.length).toBe(20);
  });

  it("read no names from prototypes", () => {
    const definitions = [input("constructor", "object"), input("toString", "string")];
    expect(checkInputs({}, definitions)).toEqual({ ok: true, inputs: {} });
    const own = { ["__proto__"]: 1 };
    expect(checkInputs(own, definitions)).toMatchObject({ faults: [{ path: "__proto__" }] });
  });
});

describe("a whole number that a double cannot hold", () => {
  const check = (type: InputType, value: PayloadValue) =>
    checkInputs({ it: value }, [input("it", type)]);

  it.each<[InputType, bigint, unknown]>([
    ["string", BIG, "12345678901234567890"],
    ["number", BIG, 12345678901234567000],
    ["integer", 10n ** 18n, 1e18],
  ])(
    "is its exact digits as a string, and the nearest double as a number: %s",
    (type, value, it) => {
      expect(check(type, value)).toEqual({ ok: true, inputs: { it } });
    },
  );

  it.each<[InputType, bigint, RegExp]>([
    ["integer", 9007199254740993n, /; got 9007199254740993. Use a string input/],
    ["number", 10n ** 400n, /./],
  ])("is refused as %s if no double represents it, with advice", (type, value, message) => {
    expect(check(type, value)).toMatchObject({
      faults: [{ message: expect.stringMatching(message) }],
    });
  });

  it("stays a number inside objects and arrays", () => {
    expect(check("object", { a: [BIG, 1], ["__proto__"]: BIG })).toEqual({
      ok: true,
      inputs: { it: { a: [Number(BIG), 1], ["__proto__"]: Number(BIG) } },
    });
  });
});

describe("the definitions of inputs", () => {
  it("may have defaults of their types", () => {
    const fine = [input("a", "string", { default: "" }), input("b", "array", { default: [] })];
    expect(definitionFaults([...fine, input("c", "number")])).toEqual([]);
  });

  it("may not have a default of another type", () => {
    const definitions = [
      input("a", "string"),
      input("b", "timestamp", { default: "today" }),
      input("c", "integer", { default: 0.5 }),
    ];
    expect(definitionFaults(definitions)).toMatchObject([
      { path: "inputs[1].default", rule: "type" },
      {
        path: "inputs[2].default",
        rule: "type",
        message: "must be a whole number; got the number 0.5",
      },
    ]);
  });
});

describe("the references of a prompt", () => {
  it("are the names in double braces, each once, without spaces", () => {
    expect(referencesOf("Greet {{name}} of {{ city }}, then {{name}} again.")).toEqual([
      "name",
      "city",
    ]);
  });

  it("exclude other uses of braces", () => {
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
