/** Waits for `ms` milliseconds; with 0, for the things that are ready now to have their turn. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
