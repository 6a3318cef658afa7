import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { githubRequest, type HookAnswer, hookAnswer } from "../../support/webhooks.ts";

export const SECRET = "the-secret-of-a-flood";
const CONNECTIONS = 32;
const POLL_MS = 100;

/** One request of a flood and what it was answered last. */
export interface Sent {
  eventId: string;
  answer: HookAnswer;
}

/**
 * Sends a signed event for each of these ids over many connections at once, and again until it has a
 * 2xx, as a sender does that does not give up. `answered` is told the number of answers after each.
 */
export async function flood(
  url: string,
  eventIds: readonly string[],
  {
    answered = () => undefined,
    body = issueOf,
  }: { answered?: (count: number) => void; body?: (eventId: string) => object } = {},
): Promise<Sent[]> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: CONNECTIONS, keepAliveTimeout: 1_000 });
  const sent: Sent[] = [];
  const waiting = [...eventIds];
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let eventId = waiting.shift(); eventId !== undefined; eventId = waiting.shift()) {
        sent.push({ eventId, answer: await insist(pool, pathname, eventId, body(eventId)) });
        answered(sent.length);
      }
    }),
  );
  await pool.close();
  return sent;
}

function issueOf(eventId: string): object {
  return { action: "opened", issue: { number: 7, title: `event ${eventId}` } };
}

async function insist(
  pool: Pool,
  path: string,
  eventId: string,
  event: object,
): Promise<HookAnswer> {
  const body = JSON.stringify(event);
  for (;;) {
    const answer = await pool
      .request({ path, ...githubRequest(SECRET, body, eventId) })
      .then(async ({ statusCode, body }) => ({ statusCode, text: await body.text() }))
      .catch(() => null);
    if (answer !== null && answer.statusCode < 300)
      return hookAnswer.parse(JSON.parse(answer.text));
    // What is refused for good would be refused for ever.
    if (answer !== null && answer.statusCode < 500) throw new Error(answer.text);
    await sleep(POLL_MS);
  }
}

/** The same in an order that puts the repeats of one id near each other, and so at once. */
export function repeated(ids: readonly string[], times: number): string[] {
  return ids.flatMap((id) => Array.from({ length: times }, () => id));
}

/** Waits until `done` answers true; it is asked again while the service cannot be reached. */
export async function eventually(done: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await done().catch(() => false))) {
    if (Date.now() > deadline) throw new Error("it did not come to be in time");
    await sleep(POLL_MS);
  }
}
