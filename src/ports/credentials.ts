import type { ConnectionRule } from "../contract/connections.ts";
import type { SecretScrubber } from "../lib/secret-forms.ts";

/** A credential that is added to requests. */
export interface Credential extends ConnectionRule {
  connectionId: string;
  value: string;
}

/** The opened connections of an execution, with what hides their values. */
export interface Unlocked {
  credentials: readonly Credential[];
  scrubber: SecretScrubber;
}
