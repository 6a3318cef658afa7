import type { SessionApi } from "../contract/session.ts";

/**
 * The object of one execution. The class implements `SessionApi`, all of it plain data and promises;
 * the platform's own stub type cannot express recursive JSON, which is why it is named anew here.
 */
export function sessionStub(env: CloudflareEnv, executionId: string): SessionApi {
  return env.SESSION.getByName(executionId) as unknown as SessionApi;
}
