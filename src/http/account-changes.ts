import { accountOfKey } from "../accounts/key-format.ts";
import { accountStub, inboxStub } from "../durable/stubs.ts";
import { within } from "../lib/async.ts";
import { sha256Hex } from "../lib/encoding.ts";
import { problemOf } from "./authentication.ts";
import { callWithRetry } from "./problem.ts";

/** An object that waits answers by then. */
const ANSWER_MS = 10_000;

/** What a page learns of its account without reading anything. */
export interface AccountState {
  /** Whether the account, or the endpoint, has changed since the last time. */
  isChanged: boolean;
  /** The executions that wait for input, up to 100; zero where the key may not read them. */
  waiting: number;
}

/** Waits for a change, at most `waitMs`; the first time it answers at once. */
export type Follow = (waitMs: number) => Promise<AccountState>;

/**
 * Follows the account of a key, and one of its endpoints if `endpointId` is given, by marks that their objects
 * have in memory. Each call counts as a read of the dashboard; a key that is not admitted is thrown as its
 * problem.
 */
export function followAccount(
  env: CloudflareEnv,
  apiKey: string,
  endpointId: string | null = null,
): Follow {
  let waiting = 0;
  const account = followed("the account", async (seen, waitMs) => {
    const keyHash = await sha256Hex(apiKey);
    const credential = { keyHash, scope: null, rateClass: "management", isPageRead: true } as const;
    const reply = await callWithRetry(() =>
      accountStub(env, accountOfKey(apiKey) ?? "").changes(credential, seen, waitMs),
    );
    if (reply.kind !== "changes") throw problemOf(reply);
    ({ waiting } = reply);
    return reply.mark;
  });
  const marks = [account];
  if (endpointId !== null) {
    const inbox = () => inboxStub(env, endpointId);
    marks.push(
      followed("the inbox", (seen, waitMs) => callWithRetry(() => inbox().changes(seen, waitMs))),
    );
  }
  let isFirst = true;
  return async (waitMs) => {
    const turns = marks.map((next) => next(waitMs));
    const isChanged = isFirst
      ? (await Promise.all(turns)).includes(true)
      : await Promise.race(turns);
    isFirst = false;
    return { isChanged, waiting };
  };
}

/**
 * Returns a function that waits for the next mark of an object and returns whether it has changed. A wait that
 * was begun goes on while another object answers.
 */
function followed(name: string, ask: (seen: string | null, waitMs: number) => Promise<string>) {
  let seen: string | null = null;
  let turn: Promise<boolean> | null = null;
  const wait = async (waitMs: number): Promise<boolean> => {
    try {
      const mark = await within(name, waitMs + ANSWER_MS, ask(seen, seen === null ? 0 : waitMs));
      const isChanged = mark !== seen;
      seen = mark;
      return isChanged;
    } finally {
      turn = null;
    }
  };
  return (waitMs: number): Promise<boolean> => {
    turn ??= wait(waitMs);
    return turn;
  };
}
