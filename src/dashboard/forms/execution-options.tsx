import type { JsonObject } from "../../contract/json.ts";
import { MCP_TOOL_PRICE, serverReference, TOOL_NAMES, TOOLS } from "../../contract/tools/names.ts";
import {
  DEFAULT_MAX_CREDITS,
  DEFAULT_MAX_STEPS,
  DEFAULT_TIMEOUT_SECONDS,
} from "../../contract/trigger.ts";
import { settingsOf } from "../../env.ts";
import { canSearch } from "../../http/agent-settings.ts";
import type { Page } from "../context.ts";
import { formatCount, formatDuration } from "../format.ts";
import { ifAllowed, newest } from "../lookups.ts";
import { Control, Controls } from "./fields.tsx";
import { type Fields, type FormState, field, nested, optionsOf, type Values } from "./form.ts";
import { Section } from "./form-page.tsx";

/** What an execution can be given. */
export type Choices = Awaited<ReturnType<typeof loadChoices>>;

/** Tools that are no choice: they do nothing outside of the execution. */
const NO_CHOICE: readonly string[] = ["emit_output", "ask_user", "finish"];
/** Tools of every execution, which a narrower list keeps. */
const ALWAYS_ALLOWED = ["emit_output", "finish"];

/** What an execution or a workflow was given before. */
export interface Given {
  tools?: readonly string[] | undefined;
  approvals?: readonly string[] | undefined;
  connections?: readonly string[] | undefined;
}

/** Loads what an execution of the account can be given, the default model first, with what was given before. */
export async function loadChoices(
  http: Page,
  { tools = [], approvals = [], connections: used = [] }: Given = {},
) {
  const api = http.get("api");
  const [{ models }, servers, connections] = await Promise.all([
    api.models.list(),
    ifAllowed(newest(api.mcpServers.all())),
    ifAllowed(newest(api.connections.all())),
  ]);
  const remote = (servers ?? []).map(({ name, url }) => ({
    name: serverReference(name),
    about: `Tools of ${new URL(url).host}`,
    price: MCP_TOOL_PRICE,
  }));
  const missing = canSearch(settingsOf(http.env)) ? [] : ["search_web"];
  const own = TOOL_NAMES.map((name) => ({ name, ...TOOLS[name] }));
  const known = [...own, ...remote].filter(
    ({ name }) => !NO_CHOICE.includes(name) && !missing.includes(name),
  );
  // Single tools of MCP servers, which are set through the API.
  const others = [...new Set([...tools, ...approvals])]
    .filter((name) => !NO_CHOICE.includes(name) && known.every((tool) => tool.name !== name))
    .map((name) => ({ name, about: "", price: MCP_TOOL_PRICE }));
  return {
    models: models.map(({ model }) => model),
    tools: [...known, ...others],
    connections: [...new Set([...(connections ?? []).map(({ name }) => name), ...used])],
  };
}

/** Returns what the controls show that an execution or a workflow was given: all tools without a list. */
export function shownOptions<Record extends Given>(record: Record, { tools }: Choices): Record {
  return { ...record, tools: record.tools ?? tools.map(({ name }) => name) };
}

/** Makes the API's body of what was typed. Without a limit of the tools, `none` stands for their list. */
export function executionBody(
  choices: Choices,
  { [TOOLS_SHOWN]: areShown, tools: ticked = [], approvals = [], model, ...values }: Values,
  none?: null,
): JsonObject {
  const tools = [ticked].flat();
  const isChosen = tools.length > 0 || areShown === true;
  const isLimited = isChosen && tools.length < choices.tools.length;
  const given = { tools: isLimited ? [...tools, ...ALWAYS_ALLOWED] : none };
  const models = typeof model === "string" ? model.split(/[\s,]+/).filter(Boolean) : [];
  return nested({
    ...values,
    ...(model !== undefined && { model: models.length > 1 ? models : model }),
    ...(given.tools !== undefined && { tools: given.tools }),
    ...([approvals].flat().length > 0 ? { approvals } : none === null && { approvals: null }),
  });
}

/** A number control drops other text before it is sent, so a form without validation would lose it. */
const AS_TEXT = { type: "text", inputmode: "numeric" };

/** Sent with the boxes of allowed tools: without it there was no choice. */
const TOOLS_SHOWN = "tools.shown";

/** Returns the fields that an execution and a workflow have in common. */
export function executionOptions({ models, tools, connections }: Choices) {
  return {
    maxCredits: field.number("Credit limit", {
      more: { ...AS_TEXT, placeholder: `${DEFAULT_MAX_CREDITS}` },
    }),
    maxSteps: field.number("Step limit", {
      more: { ...AS_TEXT, placeholder: `${DEFAULT_MAX_STEPS}` },
    }),
    timeoutSeconds: field.number("Timeout (seconds)", {
      more: { ...AS_TEXT, placeholder: `${DEFAULT_TIMEOUT_SECONDS}` },
    }),
    model: field.line("Model", {
      hint: "Choose one, or type names with commas between: the next is asked where the one before fails.",
      suggestions: models,
      more: { placeholder: `${models[0] ?? ""} (default)` },
    }),
    [TOOLS_SHOWN]: field.check(""),
    tools: field.boxes("Allowed tools", optionsOf(tools.map(({ name }) => name)), {
      hints: Object.fromEntries(
        tools.map(({ name, about, price }) => [
          name,
          `${about === "" ? "" : `${about}, `}${formatCount(price, "credit")}.`,
        ]),
      ),
    }),
    approvals: field.boxes("Requires approval", optionsOf(tools.map(({ name }) => name))),
    connections: field.boxes("Connections", optionsOf(connections), {
      hint: "Credentials that tools use and the agent never sees. Create them under Connections.",
    }),
    allowedHosts: field.lines("Allowed hosts", {
      hint: "The only hosts that tools may reach, such as api.example.com or *.example.com, one per line. Leave empty to allow all public hosts.",
      more: { rows: 3 },
    }),
    notify: field.json("Recipients", {
      hint: `Such as [{"email": "ada@acme.example"}, {"destinationId": "dst_…"}].`,
      more: { rows: 3 },
    }),
    remindAfterSeconds: field.number("Remind after (seconds)", { more: AS_TEXT }),
    escalateTo: field.json("Recipients of the reminder", {
      hint: "In the same form.",
      more: { rows: 3 },
    }),
    onTimeout: field.select("When nobody answers", {
      fail: "Fail the execution",
      deny: "Deny, and let the agent continue",
    }),
    outputSchema: field.json("Output schema", {
      hint: "JSON Schema 2020-12. An execution whose result data does not match it fails.",
    }),
    callbackUrl: field.line("Callback URL", {
      hint: "Receives the result by POST when the execution ends.",
      more: { inputmode: "url" },
    }),
    callbackSecret: field.secret("Callback secret", {
      hint: "Signs callbacks by Standard Webhooks: whsec_ and base64, or any text of 8 to 256 characters.",
    }),
  } as const satisfies Fields;
}

const DECISIONS = ["notify", "remindAfterSeconds", "escalateTo"];
const LIMITS = ["maxCredits", "maxSteps", "timeoutSeconds", "inputTimeoutSeconds", "maxCostUsd"];
const TOOL_FIELDS = ["approvals", "interactive"];
/** Controls that only one of the two forms has are left out of the other. */
const RESULT = ["outputSchema", "callbackUrl", "callbackSecret", "callbackEvents", "metadata"];

/** The optional fields of an execution or a workflow, each group folded while it has the defaults. */
export function ExecutionOptions({ of }: { of: FormState }) {
  return (
    <>
      <Section of={of} title="Tools" names={TOOL_FIELDS} about="all allowed" isOpen={isLimited(of)}>
        <input type="hidden" name={TOOLS_SHOWN} value="on" />
        <Controls of={of} names={["tools", "approvals"]} />
        <Control of={of} name="interactive" />
      </Section>
      <Section
        of={of}
        title="Connections and hosts"
        names={["connections", "allowedHosts"]}
        about="no credentials, all public hosts"
      />
      <Section of={of} title="Decisions" names={DECISIONS} about="no recipients">
        <Controls of={of} names={[...DECISIONS, "onTimeout"]} />
      </Section>
      <Section of={of} title="Limits" names={LIMITS} about={DEFAULT_LIMITS}>
        <Controls of={of} names={LIMITS} />
      </Section>
      <Section of={of} title="Result" names={RESULT} about="output schema, callback, metadata" />
    </>
  );
}

const DEFAULT_LIMITS = [
  formatCount(DEFAULT_MAX_CREDITS, "credit"),
  formatCount(DEFAULT_MAX_STEPS, "step"),
  formatDuration(DEFAULT_TIMEOUT_SECONDS * 1_000),
].join(", ");

/** Tells whether a tool is not allowed. */
function isLimited({ form: { fields }, typed }: FormState): boolean {
  const { tools } = fields;
  return (
    tools?.kind === "boxes" &&
    Object.keys(tools.options).some((value) => !typed.isOn(`tools.${value}`))
  );
}

/** Describes a stored secret; short ones show no part of themselves. */
export function storedSecret(last4: string): string {
  return last4 === "" ? "set" : `set, ends in ${last4}`;
}
