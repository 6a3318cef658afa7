import type { PayloadValue, Stage, StageError } from "../../contract/inbound/payload.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ProblemCode } from "../../contract/problem.ts";
import type { ChallengeAnswer, Endpoint, InboundRequest } from "../types.ts";

/** What the checks have found out about a request so far. */
export interface Findings {
  /** When the sender signed it, in epoch milliseconds; null where that is not part of the signature. */
  signedAt: number | null;
  /** Undefined until the body was parsed. */
  payload: PayloadValue | undefined;
  mappedInputs: JsonObject | null;
  warnings: string[];
}

/** A request before a check. */
export interface CheckContext {
  endpoint: Endpoint;
  request: InboundRequest;
  /** Epoch milliseconds. */
  now: number;
  minTlsVersion: string;
  mapAnyway: boolean;
  found: Findings;
}

type CheckError = Omit<StageError, "stage">;

/** What a check says. */
export type Verdict =
  | { kind: "passed"; found?: Partial<Findings>; note?: string }
  /** Nothing, and nothing to report. */
  | { kind: "silent" }
  /** There is nothing to be judged, and the note says why. */
  | { kind: "skipped"; note: string }
  | {
      kind: "refused";
      /** The stage that refuses, where it is not the check's own. */
      stage?: Stage;
      code: ProblemCode;
      errors: CheckError[];
      headers?: Record<string, string>;
      diagnosis?: string[];
    }
  /** A provider's challenge: the request is answered with this and nothing else is looked at. */
  | { kind: "answered"; answer: ChallengeAnswer };

/** One step of admission: a pure function of the endpoint, the request and what was found before. */
export interface Check {
  /** Whoever leaves out this stage leaves out the check. */
  stage: Stage;
  run(context: CheckContext): Verdict | Promise<Verdict>;
}

export const PASSED: Verdict = { kind: "passed" };

/** Nothing to be judged. */
export function skipped(note: string): Verdict {
  return { kind: "skipped", note };
}

/** The check looks at the payload, and an earlier one found that there is none. */
export const NOT_PARSED = skipped("There is no payload to look at.");

/** A refusal for one reason. */
export function refused(code: ProblemCode, rule: string, message: string): Verdict {
  return { kind: "refused", code, errors: [{ rule, message }] };
}

/** A refusal for want of credentials; RFC 9110 section 15.5.2 asks for the challenge beside it. */
export function unauthorized(errors: CheckError[], diagnosis: string[] = []): Verdict {
  return {
    kind: "refused",
    code: "unauthorized",
    errors,
    headers: { "WWW-Authenticate": 'Bearer realm="webhook"' },
    diagnosis,
  };
}

/** A refusal for the length of the body, on the wire or inflated. */
export function tooLarge(limit: number): Verdict {
  return {
    kind: "refused",
    stage: "size",
    code: "payload_too_large",
    errors: [{ rule: "max_bytes", message: `The body has more than ${limit} bytes.` }],
  };
}
