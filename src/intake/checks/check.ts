import type { ProblemCode } from "../../contract/problem.ts";
import type { Advice } from "../../contract/webhooks/advice.ts";
import type { PayloadValue, Stage, StageError } from "../../contract/webhooks/payload.ts";
import type { SenderPort } from "../../ports/webhooks.ts";
import type { HandshakeAnswer } from "../signatures/presets/handshake.ts";
import type { Endpoint, Found, InboundRequest, Others } from "../types.ts";

/** Results of the checks that ran so far. */
export interface Findings extends Pick<Found, "mappedInputs" | "warnings" | "routes"> {
  /** The signed timestamp in epoch milliseconds; null if the signature covers none. */
  signedAt: number | null;
  /** Undefined until the body is parsed. */
  payload: PayloadValue | undefined;
  /** Whether the payload is the claims of a token that was the body. */
  isUnwrapped?: boolean;
}

/** The input of a check. */
export interface CheckContext {
  endpoint: Endpoint;
  request: InboundRequest;
  /** Epoch milliseconds. */
  now: number;
  minTlsVersion: string;
  mapAnyway: boolean;
  sender: SenderPort;
  others: Others;
  found: Findings;
}

type CheckError = Omit<StageError, "stage">;

/** The result of a check. */
export type Verdict =
  | { kind: "passed"; found?: Partial<Findings>; note?: string }
  /** Does not apply, and is not reported. */
  | { kind: "silent" }
  /** Does not apply, for the reason in `note`. */
  | { kind: "skipped"; note: string }
  | {
      kind: "refused";
      /** The stage to report, if it is not the one of the check. */
      stage?: Stage;
      code: ProblemCode;
      errors: CheckError[];
      headers?: Record<string, string>;
      diagnosis?: string[];
      advice?: Advice | null;
      found?: Pick<Findings, "routes">;
    }
  /** A sender's handshake: sends this answer and skips all other checks. */
  | { kind: "answered"; answer: HandshakeAnswer };

/** One step of admission: a pure function of the endpoint, the request and earlier results. */
export interface Check {
  /** `AdmitOptions.skip` skips checks by stage. */
  stage: Stage;
  run(context: CheckContext): Verdict | Promise<Verdict>;
}

export const PASSED: Verdict = { kind: "passed" };

/** Returns the verdict of a check that does not apply. */
export function skipped(note: string): Verdict {
  return { kind: "skipped", note };
}

/** The verdict of a check of the payload, if parsing failed. */
export const NOT_PARSED = skipped("The payload is not parsed.");

/** Returns a refusal for one reason. */
export function refused(code: ProblemCode, rule: string, message: string): Verdict {
  return { kind: "refused", code, errors: [{ rule, message }] };
}

/** Returns a refusal for missing or wrong credentials, with the challenge of RFC 9110, section 15.5.2. */
export function unauthorized(
  errors: CheckError[],
  diagnosis: string[] = [],
  advice: Advice | null = null,
): Verdict {
  return {
    kind: "refused",
    code: "unauthorized",
    errors,
    headers: { "WWW-Authenticate": 'Bearer realm="webhook"' },
    diagnosis,
    advice,
  };
}

/** Returns a refusal for the length of the body, on the wire or inflated. */
export function tooLarge(limit: number): Verdict {
  return {
    kind: "refused",
    stage: "size",
    code: "payload_too_large",
    errors: [{ rule: "max_bytes", message: `The body exceeds ${limit} bytes.` }],
  };
}
