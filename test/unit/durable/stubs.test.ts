import { expect, it } from "vitest";
import { callFailure } from "../../../src/durable/stubs.ts";

it.each([
  ["an error of the object itself", new Error("boom"), { isOverloaded: false, isRetryable: false }],
  [
    "an object that was reset",
    Object.assign(new Error("reset"), { retryable: true }),
    { isOverloaded: false, isRetryable: true },
  ],
  [
    "an overloaded object, whatever else the platform says",
    Object.assign(new Error("busy"), { overloaded: true, retryable: true }),
    { isOverloaded: true, isRetryable: false },
  ],
  ["a value that is no error", undefined, { isOverloaded: false, isRetryable: false }],
])("reads the platform's flags of %s", (_, error, failure) => {
  expect(callFailure(error)).toEqual(failure);
});
