import type { InboundMethod } from "../../contract/inbound/endpoint.ts";
import { type Check, PASSED } from "./check.ts";

/** The endpoint takes this method. */
export const method: Check = {
  stage: "method",
  judge({ endpoint: { config }, request }) {
    const allowed: InboundMethod[] = config.methods;
    if (allowed.some((one) => one === request.method)) return PASSED;
    const allow = allowed.join(", ");
    return {
      kind: "refused",
      code: "method_not_allowed",
      errors: [{ rule: "methods", message: `${request.method.slice(0, 20)} is not ${allow}.` }],
      headers: { Allow: allow },
    };
  },
};
