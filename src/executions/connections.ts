import type { AccountApi } from "../contract/account.ts";
import { connectionContext } from "../contract/connections.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { within } from "../lib/async.ts";
import { scrubberOf } from "../lib/secret-forms.ts";
import { open } from "../lib/secrets.ts";
import type { Unlocked } from "../ports/credentials.ts";

const TIMEOUT_MS = 10_000;
const NOTHING: Unlocked = { credentials: [], scrubber: scrubberOf([]) };

/**
 * Opens the connections of an execution at their first use in a run; an execution never stores their values.
 * A connection that was deleted or cannot be opened is left out.
 */
export function connectionsOf(
  { accountId, connections }: Pick<ExecutionSeed, "accountId" | "connections">,
  account: () => Pick<AccountApi, "sealedConnections">,
  encryptionKeys: string[],
): () => Promise<Unlocked> {
  if (connections.length === 0) return async () => NOTHING;
  let opened: Promise<Unlocked> | null = null;
  async function openAll(): Promise<Unlocked> {
    const ids = connections.map(({ connectionId }) => connectionId);
    const found = await within("the account", TIMEOUT_MS, account().sealedConnections(ids));
    const credentials = await Promise.all(
      found.map(async ({ connectionId, rule, sealedValue }) => {
        const context = connectionContext(accountId, connectionId);
        const value = await open(sealedValue, encryptionKeys, context);
        return value === null ? [] : [{ ...rule, connectionId, value }];
      }),
    );
    const usable = credentials.flat();
    return { credentials: usable, scrubber: scrubberOf(usable.map(({ value }) => value)) };
  }
  return () => {
    opened ??= openAll().catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
}
