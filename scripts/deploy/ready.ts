import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../local/project.ts";
import { fetchWithin } from "../smoke/fetch-within.ts";
import type { Tell } from "./tell.ts";

/** A new name on workers.dev, or a new custom domain, takes a while to be known everywhere. */
const PATIENCE_MS = 180_000;
const POLL_MS = 1_000;

/** Waits until the service answers at its address. Throws `UserError` when it does not. */
export async function untilReady(url: string, tell: Tell, patienceMs = PATIENCE_MS): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (let tries = 1; ; tries += 1) {
    const answer = await healthOf(url);
    if (answer === "ok") return;
    if (tries === 1) tell("Waiting", "a new address takes a minute or two to be known everywhere");
    if (Date.now() > deadline) {
      throw new UserError(
        `${url}/healthz does not answer as it should: ${answer}. npx wrangler tail --env production shows the service's log; run this again once it is mended.`,
      );
    }
    await sleep(POLL_MS);
  }
}

async function healthOf(url: string): Promise<string> {
  try {
    const response = await fetchWithin(new Request(`${url}/healthz`));
    const text = await response.text();
    return response.ok ? "ok" : `${response.status} ${text.slice(0, 200)}`;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}
