import { mapPayload } from "../mapping/map.ts";
import { type Check, NOT_PARSED, skipped } from "./check.ts";

const UNATTACHED = "No workflow is attached.";
const MAPPED_ANYWAY = `${UNATTACHED} Mapped without knowing what inputs it will declare.`;

/** The payload gives the inputs of the workflow. Without one it is mapped when one is attached. */
export const mapping: Check = {
  stage: "mapping",
  async judge({ endpoint: { config }, mapAnyway, found: { payload } }) {
    const { workflow } = config;
    if (workflow === null && !mapAnyway) return skipped(UNATTACHED);
    if (payload === undefined) return NOT_PARSED;
    const mapped = await mapPayload(payload, config.mapping, workflow?.inputs ?? []);
    if (!mapped.ok) return { kind: "refused", code: "mapping_failed", errors: mapped.faults };
    return {
      kind: "passed",
      found: { mappedInputs: mapped.inputs, warnings: mapped.warnings },
      ...(workflow === null && { note: MAPPED_ANYWAY }),
    };
  },
};
