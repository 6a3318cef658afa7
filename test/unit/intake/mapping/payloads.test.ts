import examples from "@octokit/webhooks-examples";
import { expect, it } from "vitest";
import * as z from "zod";
import { jsonObject } from "../../../../src/contract/json.ts";
import { PRESETS } from "../../../../src/contract/webhooks/signature.ts";
import type { InputType } from "../../../../src/contract/workflow.ts";
import { mapPayload } from "../../../../src/intake/mapping/map.ts";
import { presetOf } from "../../../../src/intake/signatures/presets.ts";
import { inputOf, mappingOf } from "../../../support/mapping.ts";

const INPUTS: [InputType, string[]][] = [
  ["string", ["action", "title", "body", "repository", "repositoryName", "sender", "sender_login"]],
  ["string", ["author", "login", "url", "state", "issue_id", "branch", "ref", "email", "message"]],
  ["string", ["id", "status", "type", "name", "customer", "customer_email", "currency", "phone"]],
  ["integer", ["number", "issue_number", "quantity", "order_id", "pullRequestNumber"]],
  ["number", ["amount", "total", "price", "score"]],
  ["boolean", ["merged", "paid", "livemode", "draft"]],
  ["timestamp", ["created_at", "updatedAt", "created", "timestamp", "date"]],
  ["object", ["metadata", "user", "issue", "data"]],
  ["array", ["labels", "items", "line_items", "commits"]],
];

const github = z
  .array(z.object({ name: z.string(), examples: z.array(jsonObject) }))
  .parse(examples)
  .flatMap(({ name, examples }) => examples.map((payload) => [name, payload] as const));
const others = PRESETS.flatMap((name) => {
  const { body } = presetOf(name).sample;
  const payload = jsonObject.safeParse(body);
  return payload.success ? [[name, payload.data] as const] : [];
});

it("never refuses one of 300 payloads of real senders for an optional input", async () => {
  const inputs = INPUTS.flatMap(([type, names]) => names.map((name) => inputOf(name, type)));
  const all = [...github, ...others];
  const refused: unknown[] = [];
  let filled = 0;
  for (const [name, payload] of all) {
    const mapped = await mapPayload(payload, mappingOf({}), inputs);
    if (!mapped.ok) refused.push([name, mapped.faults]);
    else filled += Object.values(mapped.inputs).filter((value) => value !== null).length;
  }
  expect(refused).toEqual([]);
  expect(all.length).toBeGreaterThan(300);
  expect(filled / all.length).toBeGreaterThan(3);
});
