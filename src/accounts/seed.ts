import type { PromisedRun, SeedDraft } from "../contract/account.ts";
import type { ExecutionRow } from "../contract/execution.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { preview } from "../lib/text.ts";
import type { Hold } from "./ledger.ts";

/** A draft whose tools and servers were looked up. */
export type GrantedDraft = Omit<SeedDraft, "tools"> & Pick<ExecutionSeed, "tools" | "mcpServers">;
export type GrantedRun = Omit<PromisedRun, "draft"> & { draft: GrantedDraft };

/** What the execution is started with, by what was held for it; nothing when the hold was refused. */
export function seedOf(
  { maxCredits: _, ...draft }: GrantedDraft,
  ids: Pick<ExecutionSeed, "executionId" | "accountId" | "createdAt">,
  held: Hold,
): ExecutionSeed {
  if (held.ok) {
    return { ...draft, ...ids, heldCredits: held.held, heldBecause: held.because };
  }
  // It ends before its first step: no server is to be asked for the tools of that.
  return { ...draft, ...ids, mcpServers: [], heldCredits: 0, heldBecause: "balance" };
}

/** The row of an execution that was just accepted, at version 1. */
export function acceptedRow(seed: ExecutionSeed): ExecutionRow {
  const at = new Date(seed.createdAt).toISOString();
  return {
    executionId: seed.executionId,
    status: "active",
    statusDetail: "queued",
    version: 1,
    promptPreview: preview(seed.prompt),
    summary: null,
    creditsConsumed: 0,
    origin: seed.origin,
    workflowId: seed.workflowId,
    metadata: seed.metadata,
    createdAt: at,
    updatedAt: at,
    finishedAt: null,
  };
}
