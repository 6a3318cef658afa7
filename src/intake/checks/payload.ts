import { authenticatedHandshake } from "../handshake.ts";
import { mapPayload } from "../mapping/map.ts";
import { sourcesOf } from "../mapping/sources.ts";
import { parsePayload } from "../payload/parse.ts";
import { blockingErrors, matchRoutes } from "../routing/match.ts";
import { itemsOf, splitPathOf } from "../split.ts";
import type { InboundRequest } from "../types.ts";
import { validatePayload } from "../validation.ts";
import {
  type Check,
  NOT_PARSED,
  PASSED,
  refused,
  skipped,
  tooLarge,
  type Verdict,
} from "./check.ts";

/** Inflates the body, within the endpoint's limit, and parses it, or the query of a GET, as the payload. */
export const parse: Check = {
  stage: "parse",
  async run({ endpoint: { config }, request, found }) {
    if (found.isUnwrapped) return PASSED;
    const { method, body } = request;
    if (method === "GET") return await parsed(request, new Uint8Array());
    if (body.kind !== "whole") return NOT_PARSED;
    const content = body.content();
    if (content.kind === "too_large") return tooLarge(content.limit);
    if (content.kind === "corrupt") {
      return refused("malformed_json", "content_encoding", content.detail);
    }
    const { maxBytes } = config.validation;
    if (content.bytes.length > maxBytes) return tooLarge(maxBytes);
    return await parsed(request, content.bytes);
  },
};

async function parsed(request: InboundRequest, bytes: Uint8Array): Promise<Verdict> {
  const parsed = await parsePayload(request, bytes);
  if (!parsed.ok) return { kind: "refused", code: "malformed_json", errors: parsed.faults };
  return { kind: "passed", found: { payload: parsed.payload } };
}

/** Answers the handshake of an authenticated sender. */
export const handshake: Check = {
  stage: "signature",
  async run({ endpoint, request, sender, found: { payload } }) {
    if (payload === undefined) return { kind: "silent" };
    const verdict = await authenticatedHandshake(endpoint, request, payload, sender);
    return verdict.kind === "answered" ? verdict : { kind: "silent" };
  },
};

/** Checks that the payload has the list of the endpoint's batches. */
export const splitting: Check = {
  stage: "validation",
  run({ endpoint: { config }, request: { method, headers }, found: { payload } }) {
    const path = splitPathOf(config, method);
    if (path === null || payload === undefined) return { kind: "silent" };
    const split = itemsOf(payload, path, headers);
    if (split.ok) return { kind: "silent" };
    return { kind: "refused", code: "validation_failed", errors: [split.fault] };
  },
};

/** Validates the payload by the endpoint's rules. */
export const validation: Check = {
  stage: "validation",
  run({ endpoint: { config }, found: { payload } }) {
    if (payload === undefined) return NOT_PARSED;
    const errors = validatePayload(payload, config.validation);
    return errors.length === 0 ? PASSED : { kind: "refused", code: "validation_failed", errors };
  },
};

/** Matches the request with the endpoint's routes and maps it for those that match. */
export const routing: Check = {
  stage: "routing",
  async run({ endpoint: { config }, request, found: { payload } }) {
    if (config.routing === null) return skipped("The endpoint has no routes.");
    if (payload === undefined) return NOT_PARSED;
    const sources = sourcesOf(request);
    const routes = await matchRoutes(config.routing.routes, payload, sources);
    const found = { routes };
    const errors = blockingErrors(routes);
    const [first] = errors;
    if (first !== undefined) {
      const code = first.stage === "mapping" ? "mapping_failed" : "validation_failed";
      return { kind: "refused", stage: first.stage, code, errors, found };
    }
    const names = routes.filter(({ matched }) => matched).map(({ name }) => name);
    const note = names.length === 0 ? "No route matches." : `Matches ${names.join(", ")}.`;
    return { kind: "passed", found, note };
  },
};

const UNATTACHED = "No workflow is attached.";
const MAPPED_ANYWAY = `${UNATTACHED} Mapped without knowing what inputs it will declare.`;

/** Maps the payload to the inputs of the workflow. Without one, mapping waits until one is attached. */
export const mapping: Check = {
  stage: "mapping",
  async run({ endpoint: { config }, request, mapAnyway, found: { payload } }) {
    const { workflow } = config;
    if (config.routing !== null) return skipped("Each route maps by itself.");
    if (workflow === null && !mapAnyway) return skipped(UNATTACHED);
    if (payload === undefined) return NOT_PARSED;
    const sources = sourcesOf(request);
    const mapped = await mapPayload(payload, config.mapping, workflow?.inputs ?? [], sources);
    if (!mapped.ok) return { kind: "refused", code: "mapping_failed", errors: mapped.faults };
    return {
      kind: "passed",
      found: { mappedInputs: mapped.inputs, warnings: mapped.warnings },
      ...(workflow === null && { note: MAPPED_ANYWAY }),
    };
  },
};
