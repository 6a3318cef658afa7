import * as z from "zod";

/** The balance of an account in credits. `granted` always equals the sum of the other three. */
export const balance = z.object({
  granted: z.int().min(0),
  available: z.int().min(0),
  held: z.int().min(0),
  consumed: z.int().min(0),
});
export type Balance = z.infer<typeof balance>;

export const EMPTY_BALANCE: Balance = { granted: 0, available: 0, held: 0, consumed: 0 };

/** Throws if credits appeared or vanished, so that the transaction is not stored. */
function balanced(after: Balance): Balance {
  const { granted, available, held, consumed } = balance.parse(after);
  if (granted !== available + held + consumed) {
    throw new Error(`The ledger does not add up: ${JSON.stringify(after)}`);
  }
  return after;
}

/** Adds available credits. */
export function grant(before: Balance, amount: number): Balance {
  return balanced({
    ...before,
    granted: before.granted + amount,
    available: before.available + amount,
  });
}

export type Hold =
  | { ok: true; after: Balance; held: number; because: "budget" | "balance" }
  | { ok: false; needed: number };

/**
 * Holds credits for an execution: the requested amount, or else the usual one, or the whole balance if it
 * is lower; at least one credit.
 */
export function hold(before: Balance, asked: number | null, usual: number): Hold {
  const { available } = before;
  if (asked !== null && asked > available) return { ok: false, needed: asked };
  if (available < 1) return { ok: false, needed: 1 };
  const held = asked ?? Math.min(usual, available);
  const because = asked === null && available < usual ? "balance" : "budget";
  const after = balanced({ ...before, available: available - held, held: before.held + held });
  return { ok: true, after, held, because };
}

/** Ends a hold: the used credits are consumed, the others are available again. */
export function settle(before: Balance, held: number, used: number): Balance {
  const consumed = Math.min(Math.max(used, 0), held);
  return balanced({
    ...before,
    held: before.held - held,
    consumed: before.consumed + consumed,
    available: before.available + held - consumed,
  });
}

/** Adds executions that are not part of a balance: those that hold credits, and those that used some. */
export function withExecutions(before: Balance, sums: { held: number; used: number }): Balance {
  return balanced({
    ...before,
    held: before.held + sums.held,
    consumed: before.consumed + sums.used,
    available: before.available - sums.held - sums.used,
  });
}
