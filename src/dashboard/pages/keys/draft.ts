import type * as z from "zod";
import { type createKeyBody, SCOPES } from "../../../contract/account.ts";
import type { Faults } from "../../forms/faults.ts";
import type { Posted } from "../../forms/posted.ts";
import { boxOf, type KeyDraft } from "./new-key.tsx";
import { LIFETIMES } from "./words.ts";

const DAY_MS = 86_400_000;

/** What was typed into the form for a new key. */
export function draftOf(posted: Posted): KeyDraft {
  return {
    name: posted.line("name"),
    scopes: SCOPES.filter((scope) => posted.isOn(boxOf(scope))),
    expiresIn: posted.line("expiresIn"),
  };
}

/** What only the form can get wrong. The API takes no scopes for all of them, which nobody has ticked. */
export function faultsIn({ scopes, expiresIn }: KeyDraft): Faults {
  const faults = new Map<string, string>();
  if (scopes.length === 0) faults.set("scopes", "Tick what the key may do.");
  if (!LIFETIMES.some(({ value }) => value === expiresIn)) {
    faults.set("expiresIn", "Choose one of these.");
  }
  return faults;
}

/** The API's body for a draft without faults. `now` in epoch milliseconds. */
export function bodyOf(draft: KeyDraft, now: number): z.input<typeof createKeyBody> {
  const { name, scopes, expiresIn } = draft;
  if (expiresIn === "") return { name, scopes: [...scopes] };
  const expiresAt = new Date(now + Number(expiresIn) * DAY_MS).toISOString();
  return { name, scopes: [...scopes], expiresAt };
}
