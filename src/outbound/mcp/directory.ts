import type { AccountApi } from "../../contract/account.ts";
import { mcpHeaders, mcpHeadersContext } from "../../contract/mcp.ts";
import { unlessAborted, within } from "../../lib/async.ts";
import { open } from "../../lib/secrets.ts";
import type { McpServerDirectory } from "../../ports/mcp.ts";

const TIMEOUT_MS = 10_000;

/**
 * Looks servers up at the account, which forgets a removed server at once: neither an execution nor an
 * endpoint stores addresses or headers.
 */
export function createServerDirectory(
  account: () => Pick<AccountApi, "mcpEndpoints">,
  accountId: string,
  encryptionKeys: string[],
): McpServerDirectory {
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
      const message = "Its headers can no longer be decrypted. Register the server again.";
      return { kind: "unavailable", message };
    }
    return { kind: "found", url, headers: mcpHeaders.parse(JSON.parse(opened)) };
  };
}
