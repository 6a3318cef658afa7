import {
  EXAMPLE_ID,
  type ExecutionResult,
  type ExecutionRow,
  type ExecutionState,
} from "../../src/contract/execution.ts";

export const executionStateExample: ExecutionState = {
  executionId: EXAMPLE_ID,
  status: "active",
  statusDetail: "running",
  version: 4,
  progress: {
    message: "Opening https://example.com",
    stepsCompleted: 1,
    currentStep: 2,
    percent: null,
  },
  creditsConsumed: 2,
  createdAt: "2026-11-20T09:30:00.000Z",
  startedAt: "2026-11-20T09:30:00.100Z",
  updatedAt: "2026-11-20T09:30:01.000Z",
  activeMs: 1_400,
  finishedAt: null,
};

export const executionResultExample = {
  executionId: EXAMPLE_ID,
  status: "completed",
  presentedResult: { summary: "The page has one link." },
  outputs: [
    {
      outputId: "out_1",
      nodeType: "LINK_EXTRACTION",
      label: "Links",
      type: "table",
      mediaType: "application/json",
      value: {
        columns: ["text", "url"],
        rows: [["More information", "https://www.iana.org/domains/example"]],
      },
      sources: [{ eventSeq: 5, url: "https://example.com/" }],
      createdAt: "2026-11-20T09:30:02.000Z",
    },
  ],
  creditsConsumed: 4,
  version: 9,
  effects: [],
  usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, modelSteps: 2, toolCalls: 2 },
  model: "builtin/demo",
  createdAt: "2026-11-20T09:30:00.000Z",
  finishedAt: "2026-11-20T09:30:02.000Z",
} satisfies ExecutionResult;

export const executionRowExample: ExecutionRow = {
  executionId: EXAMPLE_ID,
  status: "completed",
  statusDetail: "done",
  version: 9,
  promptPreview: "List links of https://example.com.",
  inputsPreview: null,
  inbound: null,
  model: "builtin/demo",
  costUsd: 0,
  summary: "The page has one link.",
  creditsConsumed: 4,
  origin: "api",
  workflowId: null,
  keyId: "key_4kQ0mYb2Zt7RcX1a",
  revision: null,
  forkOf: null,
  metadata: { order: "1007" },
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:02.000Z",
  finishedAt: "2026-11-20T09:30:02.000Z",
};
