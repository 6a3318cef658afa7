import type { Slice, WorkOutcome } from "../../contract/inbound/inbox.ts";
import { accountStub, inboxStub } from "../../durable/stubs.ts";
import { settingsOf } from "../../env.ts";
import { within } from "../../lib/async.ts";
import { type Prepared, prepareSlice } from "./prepare.ts";

const CALL_TIMEOUT_MS = 20_000;
/** What one call to the account takes with it: a call carries 32 MiB, and others wait for its end. */
const CALL_RUNS = 100;
const CALL_CHARACTERS = 8 * 1_048_576;

/**
 * Hands the work of one endpoint to its account, in order, and tells the inbox what became of it. Throws
 * when it cannot; what was done until then may be done again.
 */
export async function handOver(
  env: CloudflareEnv,
  endpointId: string,
  slice: Slice,
): Promise<void> {
  const accountId = slice.configs[0]?.accountId;
  if (accountId === undefined) return;
  const prepared = await prepareSlice(slice, settingsOf(env));
  for (const part of parts(prepared)) {
    const runs = part.flatMap((item) => (item.kind === "run" ? [item.run] : []));
    if (runs.length > 0) {
      const taken = accountStub(env, accountId).acceptBatch(runs);
      await within("the account", CALL_TIMEOUT_MS, taken);
    }
    const outcomes = part.map(({ outcome }) => outcome);
    await acknowledge(env, endpointId, outcomes);
  }
}

/** Tells the inbox what became of its work. */
export function acknowledge(
  env: CloudflareEnv,
  endpointId: string,
  outcomes: WorkOutcome[],
): Promise<void> {
  return within("the inbox", CALL_TIMEOUT_MS, inboxStub(env, endpointId).acknowledge(outcomes));
}

/** What still waits of these requests, as much as one answer carries. */
export function readSlice(
  env: CloudflareEnv,
  endpointId: string,
  requestIds: string[],
): Promise<Slice> {
  return within("the inbox", CALL_TIMEOUT_MS, inboxStub(env, endpointId).slice(requestIds));
}

/** The same in its order, in parts that one call carries. */
function parts(prepared: readonly Prepared[]): Prepared[][] {
  const found: Prepared[][] = [];
  let length = 0;
  for (const item of prepared) {
    const more = item.kind === "run" ? JSON.stringify(item.run.draft.inputs).length : 0;
    const last = found.at(-1);
    if (last === undefined || last.length >= CALL_RUNS || length + more > CALL_CHARACTERS) {
      found.push([item]);
      length = more;
    } else {
      last.push(item);
      length += more;
    }
  }
  return found;
}
