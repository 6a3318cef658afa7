import * as z from "zod";

/** An account's money, in credits. `granted` always equals the sum of the other three. */
export const balance = z.object({
  granted: z.int().min(0),
  available: z.int().min(0),
  held: z.int().min(0),
  consumed: z.int().min(0),
});
export type Balance = z.infer<typeof balance>;

export const EMPTY_BALANCE: Balance = { granted: 0, available: 0, held: 0, consumed: 0 };

/** Throws when money appeared or vanished: the transaction that did it must not be stored. */
function balanced(after: Balance): Balance {
  const { granted, available, held, consumed } = balance.parse(after);
  if (granted !== available + held + consumed) {
    throw new Error(`The ledger does not add up: ${JSON.stringify(after)}`);
  }
  return after;
}

/** Adds credits that can be spent. */
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
 * Sets credits aside for an execution: what was asked for, or else the usual amount, or what is there
 * if that is less; at least one.
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

/** Ends a hold: what was used is consumed, the rest can be spent again. */
export function settle(before: Balance, held: number, used: number): Balance {
  const consumed = Math.min(Math.max(used, 0), held);
  return balanced({
    ...before,
    held: before.held - held,
    consumed: before.consumed + consumed,
    available: before.available + held - consumed,
  });
}
