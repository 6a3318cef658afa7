import * as z from "zod";
import type { Json, JsonObject } from "../lib/json-values.ts";

export type { Json, JsonObject };

/**
 * Any JSON value. It is not walked: what reaches it was made by a JSON parser, which has proven it
 * already, and walking it again took most of the time that a large body costs.
 */
export const json = z
  .unknown()
  .refine((value) => value !== undefined, "is needed") as unknown as z.ZodType<Json>;

/** A JSON object. */
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), json);
