import type { Prompthook } from "../../client/prompthook.ts";
import { type Json, type JsonObject, json, jsonObject } from "../../contract/json.ts";
import {
  freshEventId,
  presetName,
  sampleFiller,
  type WebhookPreset,
} from "../../contract/webhooks/signature.ts";
import { fieldTexts, isObject, mapTexts } from "../../lib/json-values.ts";
import { describeUnknown } from "../../lib/zod-messages.ts";
import { type Call, type Command, calling, listing, type Options } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";
import { endpointIdOf, workflowOf } from "../lookup.ts";
import { oneLine, plain } from "../terminal.ts";

const NAME = 40;
/** What the help of every command says that takes an endpoint. */
export const NAMED = "Identify an endpoint by its id, name, path or URL.";

const list = listing({
  name: "endpoints",
  summary: "List webhook endpoints",
  items: (call) => call.client.webhooks.all(call),
  columns: {
    ENDPOINT: ({ endpointId }) => endpointId,
    NAME: ({ name }) => oneLine(name, NAME),
    STATE: ({ enabled, workflowId, routing, withoutWorkflow }) => {
      if (!enabled) return "disabled";
      const startsNothing = workflowId === null && routing === null;
      return startsNothing && withoutWorkflow === "hold" ? "holding" : "active";
    },
    URL: ({ url }) => url,
  },
});

const SETTINGS: Options = {
  workflow: { value: "W", help: "the workflow that it starts, by id or name" },
  path: { value: "PATH", help: "a path of your own after /hooks/" },
};

async function settingsOf({ client, values, signal }: Call) {
  const name = values.text("workflow");
  const workflow = name === undefined ? undefined : await workflowOf(client, name, signal);
  return { path: values.text("path"), workflowId: workflow?.workflowId };
}

type Saved = Awaited<ReturnType<Prompthook["webhooks"]["create"]>>;

/** Shows an endpoint. The service shows a secret that it generated only once. */
const savedText = ({ endpointId, url, secrets = {} }: Saved) =>
  [
    `endpoint  ${endpointId}`,
    `url  ${url}`,
    ...Object.entries(secrets).map(([what, secret]) => `${what} secret  ${secret}`),
  ].join("\n");

const create = calling({
  name: "endpoints create",
  summary: "Create a webhook endpoint",
  args: ["name"],
  options: {
    ...SETTINGS,
    preset: { value: "NAME", help: "the sender whose signatures it checks" },
    secret: { value: "TEXT", help: "the secret that the sender signs with" },
  },
  notes: "Senders such as Stripe make the secret: pass it. Else one is generated and shown once.",
  async ask(call, name) {
    const secret = call.values.text("secret");
    const preset = call.values.oneOf("preset", presetName.options);
    if (secret !== undefined && preset === undefined) {
      throw new UsageError("--secret needs --preset.");
    }
    const auth = preset && { hmac: { preset, secret } };
    return await call.client.webhooks.create({ name, auth, ...(await settingsOf(call)) }, call);
  },
  text: savedText,
});

const update = calling({
  name: "endpoints update",
  summary: "Change the settings of an endpoint",
  args: ["endpoint"],
  options: {
    ...SETTINGS,
    name: { value: "NAME", help: "another name" },
    enable: { help: "take requests again" },
    disable: { help: "reject all requests" },
    data: { value: "FILE", help: "JSON of the fields to change; - reads standard input" },
  },
  notes: `${NAMED} --data takes each field of PATCH /webhooks/{endpointId}; null clears one.`,
  async ask(call, text) {
    const { client, values, signal } = call;
    const data = await call.json("data", jsonObject);
    if (values.flag("enable")) values.refuse(["disable"], "endpoints update --enable");
    const enabled = values.flag("enable") || (values.flag("disable") ? false : undefined);
    const given = { name: values.text("name"), enabled, ...(await settingsOf(call)) };
    const endpointId = await endpointIdOf(client, text, signal);
    return await client.webhooks.update(endpointId, { ...given, ...data }, call);
  },
  text: savedText,
});

const remove = calling({
  name: "endpoints delete",
  summary: "Delete an endpoint with its log; its URL answers 410 from then on",
  args: ["endpoint"],
  options: { yes: { short: "y", help: "delete it" } },
  notes: NAMED,
  async ask({ client, values, signal }, text) {
    const endpointId = await endpointIdOf(client, text, signal);
    if (!values.flag("yes"))
      throw new UsageError(`Pass --yes to delete ${endpointId} with its log and held requests.`);
    await client.webhooks.delete(endpointId, { signal });
    return { endpointId, deleted: true };
  },
  text: () => "Deleted.",
});

type TestBody = NonNullable<Parameters<Prompthook["webhooks"]["test"]>[1]>;
type Tested = Awaited<ReturnType<Prompthook["webhooks"]["test"]>>;

async function tried({ client, output, signal }: Call, text: string, body: TestBody) {
  const endpointId = await endpointIdOf(client, text, signal);
  const tested = await client.webhooks.test(endpointId, body, { signal });
  output.print(tested, testedText);
  return tested.accepted ? EXIT.done : EXIT.refused;
}

function testedText({ accepted, httpStatus, requestId, executionId, ...rest }: Tested): string {
  const ids = [requestId, executionId && `→ ${executionId}`].filter((one) => one !== null);
  return [
    [`${httpStatus} ${accepted ? "accepted" : "rejected"}`, ...ids].join("  "),
    ...rest.checks.flatMap(({ stage, errors }) =>
      errors.map(
        ({ path, message }) => `${stage}: ${plain([path, message].filter(Boolean).join(" "))}`,
      ),
    ),
    ...rest.diagnosis.map(plain),
    ...rest.warnings.map((warning) => `warning: ${plain(warning)}`),
  ].join("\n");
}

const test: Command = {
  name: "endpoints test",
  summary: "Run a payload through the checks and the mapping of an endpoint; starts nothing",
  args: ["endpoint"],
  options: {
    payload: { value: "FILE", help: "JSON payload; - reads standard input" },
    header: { multiple: true, value: "NAME=VALUE", help: "a header of the request" },
    sign: { help: "add the credentials that its sender would add" },
    send: { help: "send it: it is logged, and starts an execution" },
  },
  notes: `${NAMED} Exits 3 if the request is rejected.`,
  async run(call) {
    const { values, args } = call;
    const payload = (await call.json("payload", json)) ?? {};
    const [sign, send] = [values.flag("sign"), values.flag("send")];
    const headers = values.pairs("header") ?? {};
    return tried(call, args[0] ?? "", { payload, headers, sign, send });
  },
};

type Sample = Pick<WebhookPreset, "sample" | "eventType">;

/**
 * Returns a request of a sender, without its signature: its sample under a fresh id and time, with another
 * type of event if one is named. `now` in epoch milliseconds.
 */
function sampleOf(
  { sample, eventType: [place] }: Sample,
  event: string,
  { id, now }: { id: string; now: number },
) {
  const filled = sampleFiller(id, now);
  const headers = jsonObject.parse(mapTexts(sample.headers, filled));
  const payload = jsonObject.parse(mapTexts(sample.body, filled));
  const isNamed = event !== "" && place !== undefined;
  return {
    headers: fieldTexts({
      ...headers,
      ...(isNamed && place.in === "header" && { [place.path]: event }),
      ...(sample.form && { "Content-Type": "application/x-www-form-urlencoded" }),
    }),
    payload:
      isNamed && place.in === "body" ? withAt(payload, place.path.split("."), event) : payload,
    isForm: sample.form,
  };
}

function withAt(value: JsonObject, [step = "", ...rest]: string[], text: string): JsonObject {
  const member: Json = value[step] ?? {};
  const inner = rest.length === 0 ? text : withAt(isObject(member) ? member : {}, rest, text);
  return { ...value, [step]: inner };
}

/** Sends a request of a sender, as the service signs it for the endpoint. */
export const send: Command = {
  name: "send",
  summary: "Send an endpoint a sample event of a sender, signed as the sender does",
  args: ["sender", "event?"],
  options: {
    to: { value: "ENDPOINT", help: "the endpoint, by id, name, path or URL" },
    payload: {
      value: "FILE",
      help: "JSON payload in place of the sample's; - reads standard input",
    },
    "dry-run": { help: "only run the checks and the mapping" },
  },
  notes: `For example: prompthook send stripe invoice.paid --to "shop orders". Another type of event changes only the
type of the sample. Exits 3 if the request is rejected.`,
  async run(call) {
    const { client, values, args, signal } = call;
    const [sender = "", event = ""] = args;
    const to = values.text("to");
    if (to === undefined) throw new UsageError("send needs --to <endpoint>.");
    const { presets } = await client.webhooks.presets({ signal });
    const found = presets.find(({ preset }) => preset === sender);
    const names = presets.map(({ preset }) => preset);
    if (found === undefined) throw new UsageError(describeUnknown("sender", sender, names));
    if (event !== "" && found.eventType.length === 0)
      throw new UsageError(`${found.name} names no type of event in its requests.`);
    const id = freshEventId();
    const { headers, payload, isForm } = sampleOf(found, event, { id, now: Date.now() });
    const sent = (await call.json("payload", jsonObject)) ?? payload;
    const content = isForm
      ? { body: new URLSearchParams(fieldTexts(sent)).toString() }
      : { payload: sent };
    return tried(call, to, { headers, ...content, sign: true, send: !values.flag("dry-run") });
  },
};

export const endpoints = [create, update, remove, test, list];
