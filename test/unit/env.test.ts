import { expect, it } from "vitest";
import { parseSettings } from "../../src/env.ts";

it.each([
  ["short", "Rv7qTz0cX4mB9sKfLhJw2yN8pDeG5u1"],
  ["one character", "a".repeat(64)],
  ["a word over and over", "prompthook".repeat(4)],
  ["a word that breaks off", "password-".repeat(4).slice(0, 33)],
  ["few characters", `${"0".repeat(40)}1`],
])("an operators' token that is %s is refused, with the value to set", (_, token) => {
  expect(() => parseSettings({ ADMIN_TOKEN: token })).toThrow(
    /^Invalid configuration: ADMIN_TOKEN must .* set it to the output of `openssl rand -hex 32`\.$/,
  );
});

it.each([
  "7f3c9a01d2e84b56c0f1a9b8d7e6f5042b1c3d4e5f60718293a4b5c6d7e8f901",
  "RJ3vT0c9sKq2wYf8LhZ5nBxE7uDpGm1oAiVtSe4QyXk",
])("the operators' token %s is accepted", (token) => {
  expect(parseSettings({ ADMIN_TOKEN: token }).ADMIN_TOKEN).toBe(token);
});
