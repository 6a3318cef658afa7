import { type Kept, writeKept } from "./kept.ts";
import { shown } from "./tell.ts";

const FIRST = { name: "operator", credits: 100_000 };

/** The operators' side of the service, as far as it is needed here. */
interface Accounts {
  accounts(): Promise<unknown[]>;
  openAccount(account: typeof FIRST): Promise<{ apiKey: string }>;
}

/** What became of the first account. */
export interface FirstAccount {
  /** Its key, where it is known here. */
  apiKey: string | null;
  /** The key to show, where one was made just now. */
  newKey: string | null;
  /** In words. */
  told: string;
}

/**
 * Opens the first account where there is none. The intention is kept before the account is opened: a
 * run that was killed in between leaves an account whose key nobody has seen, so nothing of use can
 * hang on it, and the next run opens another.
 */
export async function openFirstAccount(
  admin: Accounts,
  file: string,
  kept: Kept,
): Promise<FirstAccount> {
  const known = kept.account?.apiKey;
  if (known)
    return { apiKey: known, newKey: null, told: `the first one's key is kept in ${shown(file)}` };
  const accounts = await admin.accounts();
  if (accounts.length > 0 && kept.account === undefined) {
    return { apiKey: null, newKey: null, told: "there are some, so none is opened" };
  }
  const { name, credits } = FIRST;
  await writeKept(file, { ...kept, account: { name, apiKey: null } });
  const { apiKey } = await admin.openAccount(FIRST);
  await writeKept(file, { ...kept, account: { name, apiKey } });
  return {
    apiKey,
    newKey: apiKey,
    told: `"${name}" is opened with ${credits.toLocaleString("en-GB")} credits`,
  };
}
