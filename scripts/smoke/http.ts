import * as z from "zod";
import { accountCreated, accountRecord } from "../../src/contract/operators.ts";
import { UserError } from "../local/project.ts";

/** Longer than a long poll of the service. */
const DEADLINE_MS = 45_000;

/**
 * `fetch` with a deadline that sends no token to another address: only requests without one may follow a
 * redirect.
 */
export function fetchWithin(
  request: Request,
  redirect: "manual" | "follow" = "manual",
): Promise<Response> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(DEADLINE_MS)]);
  return fetch(request, { signal, redirect });
}

const page = z.object({ accounts: z.array(accountRecord) });

/** The operators' side of a running service. */
export class Admin {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(baseUrl: string, adminToken: string) {
    this.#url = `${baseUrl}/api/v1/admin/accounts`;
    this.#headers = { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" };
  }

  /** Lists the newest accounts. */
  async accounts() {
    return page.parse(await this.#send(new Request(this.#url, { headers: this.#headers })))
      .accounts;
  }

  /** Opens an account and returns its first key, which is shown only once. */
  async openAccount(account: { name: string; credits: number }) {
    const body = JSON.stringify(account);
    const request = new Request(this.#url, { method: "POST", headers: this.#headers, body });
    return accountCreated.parse(await this.#send(request));
  }

  async #send(request: Request): Promise<unknown> {
    const response = await fetchWithin(request);
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    throw new UserError(`The admin routes returned ${response.status}: ${text.slice(0, 200)}`);
  }
}
