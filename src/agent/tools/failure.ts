import type { ToolAnswer } from "../../contract/tools/answer.ts";
import { OutboundError } from "../ports/fetch.ts";

/** A tool's answer that says why it could not. */
export function failed(code: string, message: string): ToolAnswer {
  return { ok: false, error: { code, message } };
}

/** A request that failed, as a tool's answer. Aborts and our own faults are thrown on. */
export function failedRequest(error: unknown): ToolAnswer {
  if (error instanceof OutboundError) return failed(error.code, error.message);
  throw error;
}

/**
 * The same for a request that changes something, and that follows no redirects: once it may have
 * been sent, nobody knows whether it was carried out.
 */
export function failedEffect(error: unknown): ToolAnswer {
  if (!(error instanceof OutboundError) || !error.mayBeDone) return failedRequest(error);
  return failed("uncertain", `${error.message} It is not known whether it was carried out.`);
}
