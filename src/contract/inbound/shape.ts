import * as z from "zod";
import { jsonObject } from "../json.ts";
import { mapping } from "./mapping.ts";

/** What was learned of an endpoint's payloads. */
export const learnedShape = z
  .object({
    learnedFrom: z.int().meta({ description: "Payloads that it was learned from." }),
    schema: jsonObject.meta({
      description:
        "JSON Schema 2020-12: accepts every payload that was accepted so far, and refuses one with a type that was never seen in its place or without a field that was always there. {} before the first payload.",
    }),
    mapping: mapping.meta({
      description:
        "Suggested: the inputs of the attached workflow by the names and types that were seen; without a workflow, every value that was always there.",
    }),
    notes: z.array(z.string()).meta({ description: "What the suggestion leaves open." }),
    drifted: z.int().meta({
      description: "Requests in the log whose payload was not of the shape learned before it.",
    }),
  })
  .meta({ id: "LearnedShape" });
