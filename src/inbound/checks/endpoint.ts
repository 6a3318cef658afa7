import { type Check, PASSED, refused } from "./check.ts";

/** The endpoint is there and takes requests. */
export const endpoint: Check = {
  stage: "endpoint",
  judge({ endpoint: { config } }) {
    if (config.deleted) return refused("gone", "deleted", "The endpoint was deleted.");
    if (!config.enabled) return refused("not_found", "enabled", "The endpoint is not enabled.");
    return PASSED;
  },
};
