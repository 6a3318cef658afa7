import { CALLBACK_SECRET_CONTEXT } from "../contract/callbacks.ts";
import { connectionContext } from "../contract/connections.ts";
import { destinationContext } from "../contract/destinations.ts";
import { mcpHeadersContext } from "../contract/mcp.ts";
import { providerContext } from "../contract/models.ts";
import { type Resealed, Resealer } from "../lib/resealer.ts";
import type { Components } from "./components.ts";

/**
 * Seals the secrets of an account's MCP servers, connections, model providers, destinations and stored starts
 * with the first of these keys; null for no account.
 */
export async function resealAll(account: Components | null, keys: string[]): Promise<Resealed> {
  const sealer = new Resealer(keys);
  if (account === null) return sealer.report();
  const { mcpServers, connections, modelProviders, destinations } = account;
  const { subscriptions, pendingStarts, ledger } = account;
  const { accountId } = ledger.record();
  await connections.reseal(sealer, (id) => connectionContext(accountId, id));
  await modelProviders.reseal(sealer, (id) => providerContext(accountId, id));
  await mcpServers.reseal(sealer, (id) => mcpHeadersContext(accountId, id));
  for (const { destinationId } of destinations.all()) {
    const context = destinationContext(accountId, destinationId);
    for (const field of ["sealedSecret", "sealedHeaders"] as const) {
      const before = destinations.find(destinationId)?.[field] ?? null;
      const after = before && (await sealer.reseal(before, context));
      const isSame = destinations.find(destinationId)?.[field] === before;
      if (after !== before && isSame) destinations.change(destinationId, { [field]: after });
    }
  }
  await subscriptions.reseal(sealer);
  for (const executionId of pendingStarts.stored()) {
    const before = pendingStarts.seed(executionId)?.callback?.sealedSecret ?? null;
    if (before === null) continue;
    const after = await sealer.reseal(before, CALLBACK_SECRET_CONTEXT);
    if (after !== before) pendingStarts.replaceInSeed(executionId, before, after);
  }
  return sealer.report();
}
