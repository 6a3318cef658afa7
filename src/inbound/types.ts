import type { EndpointConfig } from "../contract/inbound/endpoint.ts";
import type { CheckReport } from "../contract/inbound/log.ts";
import type { PayloadValue, Stage, StageError } from "../contract/inbound/payload.ts";
import type { JsonObject } from "../contract/json.ts";
import type { ProblemCode } from "../contract/problem.ts";
import type { ReceivedBody } from "./payload/body.ts";

/** A secret that was opened. The one before it is valid until `validUntil` (epoch milliseconds). */
export interface OpenSecret {
  current: string;
  previous: { value: string; validUntil: number } | null;
}

/** An endpoint with its secrets opened: what the checks look at. It never leaves the isolate. */
export interface Endpoint {
  config: EndpointConfig;
  token: OpenSecret | null;
  hmac: OpenSecret | null;
  /** The values of `auth.headers` by their place in that list; null for those that only have to be present. */
  headerValues: (string | null)[];
}

/** A webhook request as the checks see it. */
export interface InboundRequest {
  method: string;
  /** The whole address, as the sender called it. */
  url: URL;
  headers: Headers;
  body: ReceivedBody;
  /** CF-Connecting-IP. */
  sourceIp: string | null;
  /** As Cloudflare names it (`TLSv1.3`); null where it is not known. */
  tlsVersion: string | null;
  /** Epoch milliseconds. */
  receivedAt: number;
}

/** Why a request is refused. */
export interface Refusal {
  stage: Stage;
  code: ProblemCode;
  errors: StageError[];
  /** Headers of the answer. */
  headers: Record<string, string>;
}

/** An answer to a provider's challenge. */
export interface ChallengeAnswer {
  status: number;
  contentType: string;
  body: string;
}

/** What admission found out. */
export interface Admission {
  /** One report for each check that was made, in order. */
  checks: CheckReport[];
  verdict:
    | {
        kind: "accept";
        eventId: string | null;
        payload: PayloadValue;
        /** Null when no workflow is attached. */
        mappedInputs: JsonObject | null;
        warnings: string[];
      }
    | { kind: "challenge"; answer: ChallengeAnswer }
    | {
        kind: "refuse";
        refusal: Refusal;
        diagnosis: string[];
        eventId: string | null;
        /** What a dry run found out all the same. */
        mappedInputs: JsonObject | null;
        warnings: string[];
      };
}

/** Which stages are left out: a replay was authenticated when it first came. */
export interface AdmitOptions {
  skip?: readonly Stage[];
  /** Go on after a refusal with whatever can still be judged, for the dry run. */
  all?: boolean;
  /** Map also while no workflow is attached: in a trial nothing is held until there is one. */
  mapAnyway?: boolean;
  /** The lowest TLS version taken, `1.0` to `1.3`. */
  minTlsVersion: string;
}
