import type { Child } from "hono/jsx";
import type { Prompthook } from "../../client/prompthook.ts";
import type { Capabilities } from "../../contract/capabilities.ts";
import { serverReference } from "../../contract/tools/names.ts";
import {
  DEFAULT_MAX_CREDITS,
  DEFAULT_MAX_STEPS,
  DEFAULT_TIMEOUT_SECONDS,
} from "../../contract/trigger.ts";
import { type Column, Table } from "../components/table.tsx";
import { formatCount, formatDuration } from "../format.ts";
import { ifAllowed, newest } from "../lookups.ts";
import { CONNECTIONS } from "../paths.ts";
import { Control, Controls, isAnyFaulty } from "./fields.tsx";
import { type Fields, type FormState, isSet, TOOLS_SHOWN } from "./form.ts";

/** What an execution can be given. */
export interface Choices extends Capabilities {
  /** The names of the account's connections; null where the key may not read them. */
  connections: string[] | null;
}

/** Tools that are no choice: they do nothing outside of the execution. */
const NO_CHOICE = ["emit_output", "ask_user", "finish"];

/** Loads what an execution of the account can be given. */
export async function loadChoices(api: Prompthook): Promise<Choices> {
  const [capabilities, servers, connections] = await Promise.all([
    api.capabilities(),
    ifAllowed(newest(api.mcpServers.all())),
    ifAllowed(newest(api.connections.all())),
  ]);
  const remote = (servers ?? []).map(({ name, url }) => ({
    name: serverReference(name),
    description: `Tools of ${new URL(url).host}`,
    credits: 1,
  }));
  const builtIn = capabilities.tools.filter(({ name }) => !NO_CHOICE.includes(name));
  return {
    ...capabilities,
    tools: [...builtIn, ...remote],
    connections: connections?.map(({ name }) => name) ?? null,
  };
}

/** A number control drops other text before it is sent, so a form without validation would lose it. */
const AS_TEXT = { type: "text", inputmode: "numeric" };

const MCP_TOOLS = "Single tools of MCP servers, such as mcp__crm__find, separated by commas.";

/** Returns the fields that an execution and a workflow have in common. */
export function executionOptions({ models, modelForms, tools, connections }: Choices) {
  return {
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
      hint: `Choose one, or type ${modelForms.slice(1).join(", ") || "its name"}.`,
      suggestions: models,
      more: { placeholder: `${models[0] ?? ""} (default)` },
    },
    tools: { kind: "tools", label: "Other allowed tools", hint: MCP_TOOLS, tools },
    approvals: {
      kind: "approvals",
      label: "Other tools that require approval",
      hint: MCP_TOOLS,
      tools,
    },
    connections:
      connections === null
        ? { kind: "lines", label: "Connections", hint: "Their names, one per line." }
        : {
            kind: "choices",
            label: "Connections",
            options: connections.map((name) => ({ value: name, label: name })),
          },
    allowedHosts: {
      kind: "lines",
      label: "Allowed hosts",
      hint: "The only hosts that tools may reach, such as api.example.com or *.example.com, one per line. Leave empty to allow all public hosts.",
      more: { rows: 3 },
    },
    notify: {
      kind: "json",
      label: "Who is told",
      hint: `Such as [{"email": "ada@acme.example"}, {"destinationId": "dst_…"}].`,
      more: { rows: 3 },
    },
    remindAfterSeconds: { kind: "number", label: "Remind after (seconds)", more: AS_TEXT },
    escalateTo: {
      kind: "json",
      label: "Who is told with the reminder",
      hint: "In the same form.",
      more: { rows: 3 },
    },
    onTimeout: {
      kind: "select",
      label: "When nobody answers",
      options: [
        { value: "fail", label: "Fail the execution" },
        { value: "deny", label: "Deny, and let the agent continue" },
      ],
    },
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
}

const DECISIONS = ["notify", "remindAfterSeconds", "escalateTo"];
const LIMITS = ["maxCredits", "maxSteps", "timeoutSeconds"];
const TOOLS = ["tools", "approvals", "interactive"];
const ACCESS = ["connections", "allowedHosts"];
const CALLBACK = ["callbackUrl", "callbackSecret"];
/** Controls that only one of the two forms has are left out of the other. */
const RESULT = ["outputSchema", ...CALLBACK, "dropSecret", "metadata"];

/** The optional fields of an execution or a workflow, each group folded while it has the defaults. */
export function ExecutionOptions({ of }: { of: FormState }) {
  return (
    <>
      <Group of={of} title="Tools" names={TOOLS} about={toolsInWords(of)}>
        <ToolTable of={of} />
        <Control of={of} name="interactive" />
      </Group>
      <Group
        of={of}
        title="Connections and hosts"
        names={ACCESS}
        about="no credentials, all public hosts"
      >
        {hasConnections(of) ? (
          <Control of={of} name="connections" />
        ) : (
          <p class="hint">
            The account has no connections: credentials that tools use and the agent never sees.{" "}
            <a href={`${CONNECTIONS}/new`}>Create connection</a>
          </p>
        )}
        <Control of={of} name="allowedHosts" />
      </Group>
      <Group of={of} title="Decisions" names={DECISIONS} about="nobody is told">
        {[...DECISIONS, "onTimeout"].map((name) => (
          <Control of={of} name={name} />
        ))}
      </Group>
      <Group of={of} title="Limits" names={LIMITS} about={DEFAULT_LIMITS}>
        <Controls of={of} names={LIMITS} />
      </Group>
      <Group
        of={of}
        title="Result"
        names={RESULT}
        about="output schema, callback, metadata"
        isOpen={isKept(of)}
      >
        <Control of={of} name="outputSchema" />
        <Controls of={of} names={CALLBACK} />
        {isKept(of) && <Control of={of} name="dropSecret" />}
        <Control of={of} name="metadata" />
      </Group>
    </>
  );
}

/** The fields `tools` and `approvals` of a form: which tools the agent can use, and which need approval. */
function ToolTable({ of }: { of: FormState }) {
  const field = of.form.fields.tools;
  if (field?.kind !== "tools") return null;
  const box = (name: string) => ({ name, checked: of.typed.isOn(name) });
  const columns: Column<Capabilities["tools"][number]>[] = [
    {
      name: "Allowed",
      is: "wrap",
      isBare: true,
      cell: ({ name, description }) => (
        <>
          <label>
            <input type="checkbox" {...box(`tools.${name}`)} /> <code>{name}</code>
          </label>
          <div class="muted">{description}</div>
        </>
      ),
    },
    { name: "Credits", is: "num", cell: ({ credits }) => credits },
    {
      name: "Requires approval",
      cell: ({ name }) => (
        <input
          type="checkbox"
          {...box(`approvals.${name}`)}
          aria-label={`Require approval for ${name}`}
        />
      ),
    },
  ];
  return (
    <>
      <input type="hidden" name={`tools.${TOOLS_SHOWN}`} value="on" />
      <Table label="Tools" columns={columns} rows={field.tools} />
      <div class="grid">
        <Control of={of} name="tools" />
        <Control of={of} name="approvals" />
      </div>
    </>
  );
}

const DEFAULT_LIMITS = [
  formatCount(DEFAULT_MAX_CREDITS, "credit"),
  formatCount(DEFAULT_MAX_STEPS, "step"),
  formatDuration(DEFAULT_TIMEOUT_SECONDS * 1_000),
].join(", ");

/** A part of a form that is folded until one of its fields is set. */
export function Group({
  of,
  title,
  names,
  about,
  isOpen = false,
  children,
}: {
  of: FormState;
  title: string;
  names: readonly string[];
  /** What the fields say while none is set. */
  about: string;
  isOpen?: boolean;
  children: Child;
}) {
  const isChanged = names.some((name) => isSet(of, name)) || isAnyFaulty(of, names);
  return (
    <details class="card group" open={isOpen || isChanged}>
      <summary>
        <h2>{title}</h2> <span class="muted">{about}</span>
      </summary>
      {children}
    </details>
  );
}

function toolsInWords({ form, typed }: FormState): string {
  const { tools } = form.fields;
  if (tools?.kind !== "tools") return "";
  const allowed = tools.tools.filter(({ name }) => typed.isOn(`tools.${name}`)).length;
  return allowed === tools.tools.length
    ? "all allowed"
    : `${allowed} of ${tools.tools.length} allowed`;
}

function hasConnections({ form: { fields } }: FormState): boolean {
  const { connections } = fields;
  return connections?.kind !== "choices" || connections.options.length > 0;
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
