import { describe, expect, it } from "vitest";
import {
  KEY_PRESETS,
  PRESETS,
  type SenderName,
  TOKEN_PRESETS,
} from "../../../../../src/contract/webhooks/signature.ts";
import { stepsOf } from "../../../../../src/intake/signatures/presets/preset.ts";
import { presetNamed } from "../../../../../src/intake/signatures/presets.ts";
import { SENDERS } from "../../../../support/senders.ts";
import { documented } from "./documented.ts";
import { PUBLISHED } from "./published.ts";
import { type Sent, verdictOf } from "./sent.ts";

async function expectVerified(name: SenderName, sent: Sent): Promise<void> {
  const { eventId = null, eventType = null, tampered = (body: string) => `${body} ` } = sent;
  const verdict = await verdictOf(name, sent);
  expect(verdict).toMatchObject({ kind: "accept", eventType });
  // An id that the preset does not name is told by other places, or not at all.
  if (eventId !== null) expect(verdict).toMatchObject({ eventId });
  const isToken = presetNamed(name).method === "token";
  const refused = { kind: "refuse", refusal: { code: "unauthorized" } };
  if (tampered !== null && !isToken) {
    expect(await verdictOf(name, { ...sent, body: tampered(sent.body) })).toMatchObject(refused);
  }
  const { otherKey } = sent;
  const wrong =
    otherKey === undefined
      ? { ...sent, secret: `${sent.secret}0a` }
      : {
          ...sent,
          ...(sent.fetched === undefined ? { publicKey: otherKey } : { fetched: otherKey }),
        };
  expect(await verdictOf(name, wrong)).toMatchObject(refused);
}

describe("a request is verified as its sender publishes it:", () => {
  it.each(PUBLISHED)("$preset ($source)", async ({ preset, ...sent }) => {
    await expectVerified(preset, sent);
  });
});

const ALL: SenderName[] = [...PRESETS, ...KEY_PRESETS, ...TOKEN_PRESETS];
const elsewhere = new Set<string>([
  ...PUBLISHED.map(({ preset }) => preset),
  // By their own libraries.
  ...SENDERS.map(({ preset }) => preset),
]);

describe("a request is verified as its sender's documentation has it signed:", () => {
  it.each(ALL.filter((name) => !elsewhere.has(name)))("%s", async (name) => {
    const sent = await documented(name);
    if (sent === null) throw new Error(`no request of ${name} is known`);
    await expectVerified(name, sent);
  });
});

it.each(ALL)("the preset %s says where to read on", (name) => {
  const { sender } = presetNamed(name);
  const { docs, sample } = sender;
  expect(docs).toMatch(/^https:\/\//);
  expect(stepsOf(sender).length).toBeGreaterThan(0);
  expect(Object.keys(sample.body).length).toBeGreaterThan(0);
});

it("the steps of a sender say where it takes the URL, and who chooses the secret", () => {
  const stepsFor = (name: SenderName) => stepsOf(presetNamed(name).sender);
  expect(stepsFor("bitbucket")).toEqual([
    "Open Repository settings, Webhooks, Add webhook.",
    "Give it the URL and the secret, and choose the events.",
  ]);
  expect(stepsFor("vercel")).toEqual([
    "Open Webhooks in the team’s settings.",
    "Give it the URL, and choose the events.",
    "Copy its secret and paste it under Settings.",
  ]);
  expect(stepsFor("figma")[1]).toBe("Give it the URL and the token, and choose the events.");
});
