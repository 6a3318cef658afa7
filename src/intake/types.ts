import type { ProblemCode } from "../contract/problem.ts";
import type { Advice } from "../contract/webhooks/advice.ts";
import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type { Decision } from "../contract/webhooks/inbox.ts";
import type { CheckReport } from "../contract/webhooks/log.ts";
import type { PayloadValue, Stage, StageError } from "../contract/webhooks/payload.ts";
import type { SenderPort } from "../ports/webhooks.ts";
import type { ReceivedBody } from "./payload/body.ts";
import type { HandshakeAnswer, Head } from "./signatures/presets/handshake.ts";

/** An opened secret. The previous one is valid until `validUntil` (epoch milliseconds). */
export interface OpenSecret {
  current: string;
  previous: { value: string; validUntil: number } | null;
}

/** An endpoint with its secrets opened, for the checks. It never leaves the isolate. */
export interface Endpoint {
  config: EndpointConfig;
  token: OpenSecret | null;
  hmac: OpenSecret | null;
  /** The values of `auth.headers`, by index; null for headers that may have any value. */
  headerValues: (string | null)[];
}

/** A webhook request, for the checks. */
export interface InboundRequest extends Head {
  body: ReceivedBody;
  /** CF-Connecting-IP. */
  sourceIp: string | null;
  /** As Cloudflare names it (`TLSv1.3`); null if unknown. */
  tlsVersion: string | null;
  /** Epoch milliseconds. */
  receivedAt: number;
}

/** Why a request is refused. */
export interface Refusal {
  stage: Stage;
  code: ProblemCode;
  errors: StageError[];
  /** Headers of the response. */
  headers: Record<string, string>;
}

/** Returns the other endpoints of an account with their secrets, which are tried and never shown. */
export type Others = () => Promise<Endpoint[]>;

/** What admission found in a request, also in one that it refuses; mapped inputs only in a dry run then. */
export type Found = Required<Omit<Extract<Decision, { kind: "accept" }>, "kind">>;

/** The result of admission. `isVerified`: whether the sender passed authentication before. */
export interface Admission {
  /** One report for each check that ran, in order. */
  checks: CheckReport[];
  verdict:
    | ({ kind: "accept"; payload: PayloadValue } & Found)
    | { kind: "handshake"; answer: HandshakeAnswer; isVerified: boolean }
    | ({
        kind: "refuse";
        refusal: Refusal;
        isVerified: boolean;
        diagnosis: string[];
        advice: Advice | null;
      } & Found);
}

/** How to run the checks. */
export interface AdmitOptions {
  /** Stages whose checks do not run: a replay, for example, is not authenticated again. */
  skip?: readonly Stage[];
  /** Whether later checks run after a refusal, for the dry run. */
  all?: boolean;
  /** Whether to map also if no workflow is attached, for trials. */
  mapAnyway?: boolean;
  /** Asks senders for their keys; without it no key is fetched. */
  sender?: SenderPort;
  /** Returns the other endpoints of the account; without it a diagnosis knows none. */
  others?: Others;
  /** The lowest TLS version allowed, `1.0` to `1.3`. */
  minTlsVersion: string;
}
