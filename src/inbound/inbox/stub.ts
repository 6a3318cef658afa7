import type { InboxApi } from "../../contract/inbound/inbox.ts";

/**
 * The object of one endpoint. The class implements `InboxApi`, all of it plain data and promises; the
 * platform's own stub type cannot express recursive JSON, which is why it is named anew here.
 */
export function inboxStub(env: CloudflareEnv, endpointId: string): InboxApi {
  return env.INBOX.getByName(endpointId) as unknown as InboxApi;
}
