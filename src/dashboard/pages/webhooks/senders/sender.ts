import type { PresetName } from "../../../../contract/inbound/signature.ts";

/** A kind of sender, as it is chosen when an endpoint is made. */
export interface Sender {
  id: string;
  name: string;
  /** What its card says. */
  about: string;
  /** How an endpoint tells it from anybody else. */
  auth: { kind: "preset"; preset: PresetName } | { kind: "custom" | "token" | "open" };
  secret: SecretOrigin | null;
  /** What to do in the sender's own settings, in order. */
  steps: readonly Step[];
  /** Where its own documentation says so. */
  docs: string | null;
}

/** What to do, `{where}` a secret is pasted; and what is left of it where the secret was brought along. */
export type Step = string | { missing: string; given: string | null };

/** Where a sender's secret comes from. */
export type SecretOrigin =
  /** Whoever makes the endpoint chooses it, so the service may make a good one. */
  | { by: "us"; hint: string }
  /** The sender chooses it; `first`: before it is told the URL, which it checks at once. */
  | {
      by: "them";
      first: boolean;
      name: string;
      hint: string;
      /** Whether some of these senders take one of ours instead. */
      orOurs?: boolean;
    };
