import type { WebhookPreset } from "../../src/contract/webhooks/signature.ts";
import { CATALOG, listedPreset, placesText } from "../../src/intake/signatures/presets.ts";

const SETTING = { hmac: "auth.hmac", signature: "auth.signature", token: "auth.token" };

/** Returns docs/senders.md. */
export function sendersDocument(): string {
  const senders = CATALOG.map(listedPreset);
  const rows = senders.map((one) => [
    `[${one.name}](${one.documentation})`,
    `\`${one.preset}\` (\`${SETTING[one.method]}\`)`,
    placesText(one.eventId) || "none",
    placesText(one.eventType) || "none",
  ]);
  const head = ["sender", "preset", "event id", "event type"];
  const table = [head, ...rows].map((cells) => cells.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, at) => Math.max(...table.map((cells) => cells[at]?.length ?? 0)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const [first = "", ...others] = table.map(line);
  return [
    "# Senders",
    "",
    `The ${rows.length} senders that endpoints know. \`npm run senders\` writes this file from \`src/intake/signatures/presets\`; \`GET /api/v1/webhook-presets\` returns the same with samples.`,
    "",
    'Create an endpoint with the preset in the setting beside it, such as `{"auth": {"hmac": {"preset": "github", "secret": "…"}}}`.',
    "",
    "- **Event id:** where a sender has none, the places that many senders share are tried: `webhook-id`, `svix-id`, `X-Event-Id`, `X-Webhook-Id`, `ce-id`, `Idempotency-Key`, then `event_id`, `eventId` and `id` in the body. An `id` counts together with a hash of the body.",
    "- **Age:** it is checked by the time that stands with the sender, unless `replayProtection.timestamp` names another place. `replayProtection.toleranceSeconds` replaces the time window once it is not 300.",
    "- Where the age is not checked, or the window is hours, a retry repeats the first request as it was; the event id finds the duplicates.",
    "- **Batch:** the sender puts several events into one request, in the list that stands with the sender.",
    "  - With `split: {path}` an endpoint makes one request of each, with an event id of its own; the places of ids and types then count within the item.",
    "  - Without `split`, a batch is one request with one event id.",
    '- **Response:** every accepted request gets a 202, or what `response` sets. Linear, LINE and Meta document a 200 and say nothing about another 2xx; `{"response": {"status": 200}}` is one. An interaction of Discord gets no answer in its own form.',
    "",
    first,
    line(widths.map((width) => "-".repeat(width))),
    ...others,
    "",
    "## Age, batch, handshake and limits",
    "",
    ...senders.flatMap(sectionOf),
  ].join("\n");
}

/** What is too long for the table, without what a sender does not have. */
function sectionOf({ name, replayProtection, split, handshake, limits }: WebhookPreset): string[] {
  return [
    `### ${name}`,
    "",
    `- **Age:** ${replayProtection}`,
    ...(split === null ? [] : [`- **Batch:** \`${split.path}\``]),
    ...(handshake === null ? [] : [`- **Handshake:** ${handshake}`]),
    ...(limits === null ? [] : [`- **Limits:** ${limits}`]),
    "",
  ];
}
