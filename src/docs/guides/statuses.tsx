import type { StatusDetail } from "../../contract/execution.ts";

/** Every `statusDetail`, with the status that it comes with. */
const DETAILS: Record<StatusDetail, { status: string; meaning: string }> = {
  queued: { status: "active", meaning: "Accepted, and about to begin." },
  planning: { status: "active", meaning: "The model thinks about its first step." },
  running: { status: "active", meaning: "At work." },
  retrying: { status: "active", meaning: "A try failed, and is made again." },
  question: { status: "waiting_for_input", meaning: "The agent asked you something." },
  approval: { status: "waiting_for_input", meaning: "A call waits for your yes." },
  done: { status: "completed", meaning: "The agent has done it." },
  user_request: { status: "stopped", meaning: "Somebody stopped it." },
  budget_reached: { status: "stopped", meaning: "It has used its maxCredits." },
  step_limit: { status: "failed", meaning: "It has taken its maxSteps." },
  credits_exhausted: {
    status: "stopped, failed",
    meaning: "The balance was used up; failed, where it could not even begin.",
  },
  timed_out: { status: "failed", meaning: "It has taken its timeoutSeconds." },
  model_error: {
    status: "failed",
    meaning: "The agent could not do it and says why, or its model failed.",
  },
  input_timeout: { status: "failed", meaning: "Nobody answered within its inputTimeoutSeconds." },
  internal_error: { status: "failed", meaning: "Something failed on our side." },
};

/** What `status` and `statusDetail` mean together. */
export function Statuses() {
  return (
    <>
      <h3 id="statuses">Statuses</h3>
      <p>
        An execution is <code>active</code> or <code>waiting_for_input</code> until it is{" "}
        <code>completed</code>, <code>failed</code> or <code>stopped</code>, for good.{" "}
        <code>statusDetail</code> says why:
      </p>
      <div class="table-frame">
        <table>
          <thead>
            <tr>
              <th scope="col">statusDetail</th>
              <th scope="col">status</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(DETAILS).map(([detail, { status, meaning }]) => (
              <tr>
                <td>
                  <code>{detail}</code>
                </td>
                <td>{status}</td>
                <td>{meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
