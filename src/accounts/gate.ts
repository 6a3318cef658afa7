import type { Credential, Denial, RateState } from "../contract/account.ts";
import type { Keyring } from "./keyring.ts";
import { MANAGEMENT_LIMIT, type Meter } from "./meter.ts";

const FLUSH_INTERVAL_MS = 1_000;

/** A request that was let in, and counted. */
export interface Admitted {
  kind: "admitted";
  rate: RateState;
  keyId: string;
}

/** Decides which requests an account lets in, and counts them. */
export class Gate {
  readonly #keyring: Keyring;
  readonly #meter: Meter;
  #flushing = false;

  constructor(keyring: Keyring, meter: Meter) {
    this.#keyring = keyring;
    this.#meter = meter;
  }

  /** The key first, then the rate, then the scope: a stranger must not use up an account's rate. */
  admit(credential: Credential, requestsPerMinute: number, now: number): Denial | Admitted {
    const key = this.#keyring.check(credential.keyHash, now);
    if (key.kind === "unauthorized") return key;
    const { rateClass, scope } = credential;
    const limit = rateClass === "agent" ? requestsPerMinute : MANAGEMENT_LIMIT;
    const { allowed, rate } = this.#meter.take(rateClass, limit, now);
    this.#flushSoon();
    if (!allowed) return { kind: "rate_limited", rate };
    if (!key.scopes.includes(scope)) return { kind: "insufficient_scope", scope, rate };
    return { kind: "admitted", rate, keyId: key.keyId };
  }

  /** Counts are written once a second, not once a request: reading must not cost a write. */
  #flushSoon(): void {
    if (this.#flushing || !this.#meter.unsaved) return;
    this.#flushing = true;
    setTimeout(() => {
      this.#flushing = false;
      this.#meter.flush(Date.now());
      this.#keyring.flush();
    }, FLUSH_INTERVAL_MS);
  }
}
