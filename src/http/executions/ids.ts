import * as z from "zod";
import { executionId } from "../../contract/execution.ts";

/** Where the agent API lives. */
export const AGENT = "/api/v1/agent";

/** A UUID means the same in either case (RFC 9562 §4); objects are named by the lower one. */
export const executionParams = z.object({
  executionId: z
    .uuid()
    .toLowerCase()
    .meta(executionId.meta() ?? {}),
});

/** An execution in the examples of the API document. */
export const EXAMPLE_ID = "5c0f7a5e-7a3e-4b57-9d1c-0a7f3f6f2b11";
