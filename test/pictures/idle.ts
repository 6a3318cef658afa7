import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "playwright-core";
import * as z from "zod";
import type { LogLine } from "../../scripts/local/runtime.ts";
import type { Place } from "./pages.ts";
import type { SignIn } from "./visit.ts";

/** Longer than the two minutes after which a page looks although nothing has changed. */
const WATCHED_MS = 150_000;
/** What a page does when it opens is no part of its rest. */
const SETTLING_MS = 10_000;

const call = z.object({ event: z.literal("call"), of: z.string() });
const request = z.object({ event: z.literal("request"), requestId: z.string(), route: z.string() });

/** Counts the calls of the API that pages make, by what the service logs. */
export class CallCounter {
  /** The routes of requests, by their ids. */
  readonly #routes = new Map<string, string>();
  #calls: string[] = [];

  note({ message }: LogLine): void {
    const line = parsed(message);
    const asked = request.safeParse(line).data;
    if (asked !== undefined) this.#routes.set(asked.requestId, asked.route);
    const called = call.safeParse(line).data;
    if (called !== undefined) this.#calls.push(called.of);
  }

  reset(): void {
    this.#calls = [];
  }

  /** Returns the calls since the last reset of the page of this route, and of its stream. */
  count(route: string): number {
    const own = [route, `${route}/live`];
    return this.#calls.filter((of) => own.includes(this.#routes.get(of) ?? "")).length;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** How often a page that is open and untouched reads the API. */
export interface Idle {
  name: string;
  readsPerMinute: number;
}

/** Opens these pages side by side, each the only one of its route, and counts what they read while nothing changes. */
export async function measureIdle(
  browser: Browser,
  counter: CallCounter,
  { url, places, signIn }: { url: string; places: (Place & { route: string })[]; signIn: SignIn },
): Promise<Idle[]> {
  const context = await browser.newContext({ baseURL: url });
  await signIn(context, "key");
  for (const { path } of places) await (await context.newPage()).goto(path);
  await sleep(SETTLING_MS);
  counter.reset();
  await sleep(WATCHED_MS);
  await context.close();
  return places.map(({ name, route }) => ({
    name,
    readsPerMinute: Math.round((counter.count(route) / (WATCHED_MS / 60_000)) * 10) / 10,
  }));
}
