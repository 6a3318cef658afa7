import type { ReceivedRequest } from "../../contract/inbound/inbox.ts";
import type { Mapping } from "../../contract/inbound/mapping.ts";
import type { Fault, StageError } from "../../contract/inbound/payload.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { WorkflowInput } from "../../contract/workflow.ts";
import { loggedAddress } from "../logged-address.ts";
import { mapPayload } from "../mapping/map.ts";
import { parsePayload } from "../payload/parse.ts";

export type MappedNow =
  | { ok: true; inputs: JsonObject; warnings: string[] }
  | { ok: false; errors: StageError[] };

/** Maps a request that was held until there was a workflow. It was validated when it came. */
export async function mapHeld(
  request: ReceivedRequest,
  mapping: Mapping,
  inputs: WorkflowInput[],
): Promise<MappedNow> {
  const { method, contentType, body } = request;
  const bytes = body ?? new Uint8Array();
  const parsed = await parsePayload({ method, url: loggedAddress(request), contentType, bytes });
  if (!parsed.ok) return { ok: false, errors: errorsOf("parse", parsed.faults) };
  const mapped = await mapPayload(parsed.payload, mapping, inputs);
  return mapped.ok ? mapped : { ok: false, errors: errorsOf("mapping", mapped.faults) };
}

function errorsOf(stage: "parse" | "mapping", faults: Fault[]): StageError[] {
  return faults.map((fault) => ({ stage, ...fault }));
}
