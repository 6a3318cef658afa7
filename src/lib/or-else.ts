/** Returns the result of `work`, or `otherwise` if it throws. */
export function orElse<Result, Other>(work: () => Result, otherwise: Other): Result | Other {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
