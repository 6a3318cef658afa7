import * as z from "zod";
import { open } from "./fields.ts";

/** The binding of the database that has the control rows, and execution rows where there is no other. */
export const CONTROL_DATABASE = "DB";

/** The database that has the rows of an account's executions from a time on, until the next placement. */
export const placement = open({
  /** The database's binding. */
  database: z.string(),
  /** Epoch milliseconds; 0 for all executions. */
  since: z.int(),
});
export type Placement = z.infer<typeof placement>;
