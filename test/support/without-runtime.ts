/** In place of the runtime's module: nothing goes on after a request that nobody serves. */
export function waitUntil(): never {
  throw new Error("There is no runtime here.");
}
