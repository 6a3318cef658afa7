import { type TriggerBody, triggerBody } from "../../../../contract/trigger.ts";
import type { Made } from "../../../forms/attempt.ts";
import { faultsByIssues } from "../../../forms/faults.ts";
import { typedJson } from "../../../forms/json.ts";
import { referencesOf } from "../../../forms/tool-choice.ts";
import type { RunDraft } from "./draft.ts";

/** What the API is asked for. Everything that is wrong is told at once: JSON, numbers, and the rest. */
export function bodyOf(draft: RunDraft): Made<TriggerBody> {
  const faults = new Map<string, string>();
  const read = <Value>(name: keyof RunDraft, text: string, reader: Reader<Value>) => {
    if (text.trim() === "") return undefined;
    const value = reader(text);
    if (value.ok) return value.value;
    faults.set(name, value.message);
    return undefined;
  };
  const fields = {
    prompt: draft.prompt,
    inputs: read("inputs", draft.inputs, typedJson),
    model: draft.model || undefined,
    maxCredits: read("maxCredits", draft.maxCredits, wholeNumber),
    maxSteps: read("maxSteps", draft.maxSteps, wholeNumber),
    timeoutSeconds: read("timeoutSeconds", draft.timeoutSeconds, wholeNumber),
    interactive: draft.interactive,
    tools: referencesOf(draft.tools) ?? undefined,
    approvals: referencesOf(draft.approvals) ?? undefined,
    callbackUrl: draft.callbackUrl || undefined,
    callbackSecret: draft.callbackSecret || undefined,
    outputSchema: read("outputSchema", draft.outputSchema, typedJson),
    metadata: read("metadata", draft.metadata, pairs),
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const parsed = triggerBody.safeParse(Object.fromEntries(given));
  if (parsed.success && faults.size === 0) return { ok: true, body: parsed.data };
  const others = parsed.success ? [] : faultsByIssues(parsed.error.issues);
  return { ok: false, faults: new Map([...others, ...faults]) };
}

type Reader<Value> = (text: string) => { ok: true; value: Value } | { ok: false; message: string };

const wholeNumber: Reader<number> = (text) =>
  /^\d{1,9}$/.test(text)
    ? { ok: true, value: Number(text) }
    : { ok: false, message: "This must be a whole number." };

const pairs: Reader<Record<string, string>> = (text) => {
  const found = new Map<string, string>();
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, name = "", value = ""] = /^([^=]*)=(.*)$/.exec(line) ?? [];
    const key = name.trim();
    if (key === "") return { ok: false, message: `“${line.trim()}” is no “name = value”.` };
    if (found.has(key)) return { ok: false, message: `“${key}” comes twice.` };
    found.set(key, value.trim());
  }
  return { ok: true, value: Object.fromEntries(found) };
};
