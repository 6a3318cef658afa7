import * as z from "zod";
import { executionResult } from "./execution.ts";

/** The body of a callback: the result as it is read, with what has happened and when. */
export const callbackBody = executionResult
  .extend({
    type: z
      .enum([
        "execution.completed",
        "execution.failed",
        "execution.stopped",
        "execution.waiting_for_input",
      ])
      .describe("What has happened."),
    timestamp: z.iso.datetime({ precision: 3 }).describe("When it happened."),
  })
  .meta({ id: "CallbackBody" });
