import { ModelError } from "../../../contract/conversation.ts";
import { readCapped } from "../../../outbound/body.ts";

/** No reply of use is longer, and each has to fit into a stored row. */
export const MAX_REPLY_BYTES = 1_024 * 1_024;

/** Reads the answer whole, up to a limit: the SDK alone would take two gigabytes. */
export async function cappedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const signal = init?.signal ?? new AbortController().signal;
  const { bytes, cut } = await readCapped(response.body, MAX_REPLY_BYTES, signal);
  if (cut) throw answerTooLong();
  return new Response(bytes, response);
}

export const answerTooLong = () =>
  new ModelError("The model's answer is too long.", { retryable: false });
