import type { ExecutionSeed } from "../../contract/session.ts";
import type { Transition } from "./transition.ts";

/** Records the beginning: the log opens with the status, the conversation with the prompt. */
export function begin(t: Transition, seed: ExecutionSeed): void {
  t.event("status", { status: "active", statusDetail: "queued" });
  t.turn({ role: "user", text: seed.prompt });
}
