import type { z } from "zod";
import type { endpointSaved } from "../../contract/inbound/endpoint.ts";
import type { Http } from "../context.ts";
import type { EndpointDraft } from "./draft.ts";
import { recordOf } from "./record.ts";

/** The answer to a change: the endpoint, and the secrets that were made for it. */
export async function savedOf(
  http: Http,
  { config, made }: EndpointDraft,
): Promise<z.infer<typeof endpointSaved>> {
  const record = await recordOf(http, config);
  return Object.keys(made).length === 0 ? record : { ...record, secrets: made };
}
