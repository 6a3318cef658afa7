import { mapPayload } from "../mapping/map.ts";
import { type Check, NOT_PARSED, skipped } from "./check.ts";

/** The payload gives the inputs of the workflow. Without one it is mapped when one is attached. */
export const mapping: Check = {
  stage: "mapping",
  async judge({ endpoint: { config }, found: { payload } }) {
    if (config.workflow === null) return skipped("No workflow is attached.");
    if (payload === undefined) return NOT_PARSED;
    const mapped = await mapPayload(payload, config.mapping, config.workflow.inputs);
    if (!mapped.ok) return { kind: "refused", code: "mapping_failed", errors: mapped.faults };
    return { kind: "passed", found: { mappedInputs: mapped.inputs, warnings: mapped.warnings } };
  },
};
