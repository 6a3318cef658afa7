import type { AcceptReply, Denial } from "../../contract/account.ts";
import type { Http } from "../context.ts";
import { keyReused, replayedHeader } from "../idempotency.ts";
import { HttpProblem, invalid } from "../problem.ts";
import { AGENT } from "./ids.ts";

/** The 202 of an execution that the account accepted; throws the problem when it did not. */
export function acceptedReply(http: Http, decision: Exclude<AcceptReply, Denial>) {
  switch (decision.kind) {
    case "accepted": {
      const { body, replayed } = decision;
      http.get("subject").executionId = body.executionId;
      const Location = `${AGENT}/trigger/${body.executionId}/status`;
      return { value: body, headers: { Location, ...replayedHeader(replayed) } };
    }
    case "key_reused":
      throw keyReused();
    case "unknown_mcp_server":
      throw invalid(
        decision.field,
        "mcp_server",
        `names the MCP server ${decision.server}, which is not registered; see /api/v1/mcp-servers`,
      );
    case "insufficient_credits":
      throw new HttpProblem(
        "insufficient_credits",
        `This needs ${decision.needed} credits; ${decision.available} are available.`,
      );
  }
}
