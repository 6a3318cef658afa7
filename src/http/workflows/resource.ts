import type { WorkflowRecord } from "../../contract/workflow.ts";
import { apiKey } from "../authentication.ts";

/** The path of the API of workflows. */
export const WORKFLOWS = "/api/v1/workflows";

export const reader = apiKey("workflows:read", "management");
export const writer = apiKey("workflows:write", "management");

/** The workflow in the examples of the API document. */
export const exampleWorkflow: WorkflowRecord = {
  workflowId: "wf_4kQ0mYb2Zt7RcX1a9dLw",
  name: "Look at an order",
  prompt: "Look up the customer {{domain}} and say what the order {{orderId}} is about.",
  inputs: [
    { name: "orderId", type: "string", required: true, default: null, description: "" },
    { name: "domain", type: "string", required: false, default: "example.com", description: "" },
  ],
  callbackUrl: "https://receiver.example/callback",
  callbackSecret: { set: true, last4: "LaSw" },
  maxCredits: 20,
  revision: 2,
  externalId: "look-at-an-order",
  managedBy: { kind: "files", commit: "3f0c8f0e", revision: 2 },
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z",
};
