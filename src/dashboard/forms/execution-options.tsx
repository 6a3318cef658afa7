import {
  DEFAULT_MAX_CREDITS,
  DEFAULT_MAX_STEPS,
  DEFAULT_TIMEOUT_SECONDS,
} from "../../contract/trigger.ts";
import { Control, Controls, isAnyFaulty } from "./fields.tsx";
import { type Fields, type FormState, isSet } from "./form.ts";
import { ToolTable } from "./tool-table.tsx";

/** A number control drops other text before it is sent, so a form without validation would lose it. */
const AS_TEXT = { type: "text", inputmode: "numeric" };

const MCP_TOOLS = "Tools of MCP servers: mcp__server or mcp__server__tool, separated by commas.";

/** The fields that an execution and a workflow have in common. */
export const EXECUTION_OPTIONS = {
  maxCredits: {
    kind: "number",
    label: "Credit limit",
    more: { ...AS_TEXT, placeholder: `${DEFAULT_MAX_CREDITS}` },
  },
  maxSteps: {
    kind: "number",
    label: "Step limit",
    more: { ...AS_TEXT, placeholder: `${DEFAULT_MAX_STEPS}` },
  },
  timeoutSeconds: {
    kind: "number",
    label: "Timeout (seconds)",
    more: { ...AS_TEXT, placeholder: `${DEFAULT_TIMEOUT_SECONDS}` },
  },
  model: {
    kind: "line",
    label: "Model",
    hint: "provider/name, such as builtin/planner. Leave empty to use the default model.",
  },
  tools: { kind: "tools", label: "Other allowed tools", hint: MCP_TOOLS },
  approvals: { kind: "tools", label: "Other tools that require approval", hint: MCP_TOOLS },
  outputSchema: {
    kind: "json",
    label: "Output schema",
    hint: "JSON Schema 2020-12. An execution whose result data does not match it fails.",
  },
  callbackUrl: {
    kind: "line",
    label: "Callback URL",
    hint: "Receives the result by POST when the execution ends.",
    more: { inputmode: "url" },
  },
  callbackSecret: {
    kind: "secret",
    label: "Callback secret",
    hint: "Signs callbacks by Standard Webhooks: whsec_ and base64, or any text of 8 to 256 characters.",
  },
} as const satisfies Fields;

const LIMITS = ["maxCredits", "maxSteps", "timeoutSeconds", "model"];
const CALLBACK = ["callbackUrl", "callbackSecret"];
/** Controls that only one of the two forms has are left out of the other. */
const NAMES = ["interactive", "tools", "approvals", "outputSchema", "dropSecret", "metadata"];

/** The optional fields of an execution or a workflow; folded while none is set. */
export function ExecutionOptions({
  of,
  names = [],
  about,
}: {
  of: FormState;
  /** Fields of this form that stand before all others. */
  names?: readonly string[];
  about: string;
}) {
  const all = [...names, ...LIMITS, ...CALLBACK, ...NAMES];
  const isOpen = all.some((name) => isSet(of, name)) || isAnyFaulty(of, all) || isKept(of);
  return (
    <details class="card" open={isOpen}>
      <summary>
        <h2>Options</h2> <span class="muted">{about}</span>
      </summary>
      {names.map((name) => (
        <Control of={of} name={name} />
      ))}
      <Controls of={of} names={LIMITS} />
      <Control of={of} name="interactive" />
      <h3>Tools</h3>
      <ToolTable of={of} />
      <h3>Result</h3>
      <Control of={of} name="outputSchema" />
      <Controls of={of} names={CALLBACK} />
      {isKept(of) && <Control of={of} name="dropSecret" />}
      <Control of={of} name="metadata" />
    </details>
  );
}

/** Tells whether there is a secret to keep, which its hint says. */
function isKept({ hints = {} }: FormState): boolean {
  return hints.callbackSecret !== undefined;
}

/** Describes a stored secret; short ones show no part of themselves. */
export function storedSecret(last4: string): string {
  return last4 === "" ? "set" : `set, ends in ${last4}`;
}

/** Hints that a stored secret stays where its control is left empty. */
export function keepHint(last4: string): string {
  return `A secret is ${storedSecret(last4)}. Leave empty to keep it.`;
}
