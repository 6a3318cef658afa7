import type { AccountApi } from "../../contract/account.ts";
import { mcpHeaders, mcpHeadersContext } from "../../contract/mcp.ts";
import { within } from "../../lib/deadline.ts";
import { open } from "../../lib/secret-box.ts";
import { unlessAborted } from "../../lib/unless-aborted.ts";

const TIMEOUT_MS = 10_000;

/** How a server is reached at this moment, or why it is not. */
export type Lookup =
  | { kind: "found"; url: string; headers: Record<string, string> }
  | { kind: "removed" }
  | { kind: "unavailable"; message: string };

/**
 * Where the servers of an execution's account are looked up, anew for each use. Throws when the account
 * cannot be asked, and the signal's reason when that aborts.
 */
export type McpDirectory = (serverId: string, signal: AbortSignal) => Promise<Lookup>;

/**
 * Asks the account, which forgets a server at once when it is removed; an execution keeps neither
 * addresses nor headers.
 */
export function createDirectory(
  account: () => Pick<AccountApi, "mcpEndpoints">,
  accountId: string,
  encryptionKeys: string[],
): McpDirectory {
  return async (serverId, signal) => {
    const [endpoint] = await unlessAborted(signal, () =>
      within("the account", TIMEOUT_MS, account().mcpEndpoints([serverId])),
    );
    if (endpoint === undefined) return { kind: "removed" };
    const { url, sealedHeaders } = endpoint;
    if (sealedHeaders === null) return { kind: "found", url, headers: {} };
    const context = mcpHeadersContext(accountId, serverId);
    const opened = await open(sealedHeaders, encryptionKeys, context);
    if (opened === null) {
      const message = "Its headers can no longer be decrypted: register it again.";
      return { kind: "unavailable", message };
    }
    return { kind: "found", url, headers: mcpHeaders.parse(JSON.parse(opened)) };
  };
}
