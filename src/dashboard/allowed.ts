import { PrompthookError } from "../client/error.ts";

/** An answer, or null where the key of the session lacks the scope for it. */
export async function ifAllowed<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PrompthookError && error.code === "insufficient_scope") return null;
    throw error;
  }
}
