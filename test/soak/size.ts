/** How much a soak test does; `npm run test:soak -- --kills 100 --webhooks 100000` sets it. */
export const KILLS = Number(process.env.SOAK_KILLS ?? 10);
export const WEBHOOKS = Number(process.env.SOAK_WEBHOOKS ?? 10_000);

/** Enough for a machine that completes ten executions a second. */
export const TIMEOUT_MS = 600_000 + 30_000 * KILLS + 100 * WEBHOOKS;
