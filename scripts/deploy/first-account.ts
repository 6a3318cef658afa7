import { FIRST_ACCOUNT } from "../../src/contract/operators.ts";
import { shown } from "./progress.ts";
import { type SecretsFile, writeSecrets } from "./secrets.ts";

/** The operators' side of the service. */
interface Accounts {
  accounts(): Promise<unknown[]>;
  openAccount(account: typeof FIRST_ACCOUNT): Promise<{ apiKey: string }>;
}

/** The outcome of opening the first account. */
interface FirstAccount {
  /** Its key, if it is known here. */
  apiKey: string | null;
  /** The key to show, if it was just created. */
  newKey: string | null;
  outcome: string;
}

/**
 * Opens the first account when there is none. The intention is stored before: a deployment that is killed
 * in between leaves an account whose key nobody has seen, and the next one opens another.
 */
export async function openFirstAccount(
  admin: Accounts,
  file: string,
  stored: SecretsFile,
): Promise<FirstAccount> {
  const known = stored.account?.apiKey;
  if (known) {
    return { apiKey: known, newKey: null, outcome: `the first one's key is in ${shown(file)}` };
  }
  const accounts = await admin.accounts();
  if (accounts.length > 0 && stored.account === undefined) {
    return { apiKey: null, newKey: null, outcome: "some exist, so none is opened" };
  }
  const { name, credits } = FIRST_ACCOUNT;
  await writeSecrets(file, { ...stored, account: { name, apiKey: null } });
  const { apiKey } = await admin.openAccount(FIRST_ACCOUNT);
  await writeSecrets(file, { ...stored, account: { name, apiKey } });
  return {
    apiKey,
    newKey: apiKey,
    outcome: `"${name}" is opened with ${credits.toLocaleString("en-GB")} credits`,
  };
}
