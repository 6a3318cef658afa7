import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { serviceVariables, toEnvFile } from "../../../scripts/local/variables.ts";

test("hands on the service's own variables and no others", () => {
  const environment = { DEFAULT_MODEL: "openai/small", HOME: "/home/me", PATH: "/bin" };
  expect(serviceVariables(environment)).toEqual({ DEFAULT_MODEL: "openai/small" });
});

test.each([
  "plain",
  "with spaces # and a mark",
  "it's",
  'said "so"',
  "back\\slash within",
  "two\nlines",
])("writes %j so that it is read back as it was", (value) => {
  expect(parseEnv(toEnvFile({ ADMIN_TOKEN: value }))).toEqual({ ADMIN_TOKEN: value });
});

test("escapes what dotenv's expansion would replace", () => {
  expect(toEnvFile({ ADMIN_TOKEN: "a$HOME" })).toBe("ADMIN_TOKEN='a\\$HOME'\n");
});

test.each(["both ' and `", "ends in \\", "a\rreturn"])(
  "refuses %j, which no quoting can carry",
  (value) => {
    expect(() => toEnvFile({ ADMIN_TOKEN: value })).toThrow("ADMIN_TOKEN cannot be handed on");
  },
);
