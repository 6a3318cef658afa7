import { validatePayload } from "../validation.ts";
import { type Check, NOT_PARSED, PASSED } from "./check.ts";

/** The payload keeps the endpoint's rules. */
export const validation: Check = {
  stage: "validation",
  judge({ endpoint: { config }, found: { payload } }) {
    if (payload === undefined) return NOT_PARSED;
    const errors = validatePayload(payload, config.validation);
    return errors.length === 0 ? PASSED : { kind: "refused", code: "validation_failed", errors };
  },
};
