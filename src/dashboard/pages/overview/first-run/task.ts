import type { EndpointRecord } from "../../../../contract/inbound/endpoint.ts";
import type { CreateWorkflowBody } from "../../../../contract/workflow.ts";

/** A first task that every model does, the rule-based one too, with nothing but what stands in it. */
export const FIRST_PROMPT = `Remove duplicates from this data, sort by total descending and write it to a spreadsheet orders.xlsx:

date,customer,total
2026-11-03,Acme,120.50
2026-11-04,Birch,80.00
2026-11-04,Birch,80.00
2026-11-05,Cedar,310.00
2026-11-06,Acme,45.25`;

/** What a first webhook starts. */
export const FIRST_WORKFLOW = {
  name: "First webhook",
  prompt: "Sort {{items}} by total, largest first, and show them as a table.",
  inputs: [
    {
      name: "items",
      type: "array",
      required: true,
      default: null,
      description: "The lines of an order.",
    },
  ],
} satisfies CreateWorkflowBody;

export const FIRST_ENDPOINT_NAME = "First webhook";

/** An event as a shop would send it. It has no id, so that it may come again and starts a run each time. */
export const SAMPLE = JSON.stringify({
  order: "1007",
  customer: "Ada",
  items: [
    { sku: "cable", total: 9.5 },
    { sku: "monitor", total: 249 },
    { sku: "keyboard", total: 79 },
  ],
});

/** A command that sends the sample from a shell. */
export function curlLine({ url }: EndpointRecord): string {
  return `curl ${url} -H 'Content-Type: application/json' \\\n  -d '${SAMPLE}'`;
}
