import * as z from "zod";
import { failureCause } from "../contract/alerts.ts";
import type { DestinationMessage, Notice, StoredDestination } from "../contract/destinations.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import { capital, wordsOf } from "../lib/text.ts";

/** The body of a request, and its media type. */
export interface Content {
  type: string;
  body: Json;
}

/** The formats of requests that each have one event. */
type EventFormat = Exclude<StoredDestination["format"], "email" | "otlp">;

/** Returns the body of an event in a format that has one for each event. */
export function contentOf(format: EventFormat, event: Event): Content {
  const { id, origin, data, message } = event;
  const { type } = message;
  const time = new Date(message.at).toISOString();
  switch (format) {
    case "standard":
      return { type: "application/json", body: { type, timestamp: time, data } };
    case "cloudevents": {
      const attributes = { specversion: "1.0", id, source: origin, type, time };
      const body = { ...attributes, datacontenttype: "application/json", data };
      return { type: "application/cloudevents+json", body };
    }
    case "slack":
      return { type: "application/json", body: slackBody(noticeOf(event)) };
    case "teams":
      return { type: "application/json", body: teamsBody(noticeOf(event)) };
  }
}

/** Slack's limits: https://docs.slack.dev/reference/block-kit/blocks */
const SLACK = { header: 150, text: 3_000, field: 2_000, button: 75, buttons: 25 };
const FENCE = "```";
/** The facts that a message shows: as many as a block of Slack holds. */
const FACTS = 10;

/** Returns a message of Slack's incoming webhooks, within the limits of its blocks. */
function slackBody({ title, facts, text, links }: Notice): JsonObject {
  const fields = facts.slice(0, FACTS).map(([name, value]) => ({
    type: "mrkdwn",
    text: cut(`*${escaped(name)}*\n${escaped(value)}`, SLACK.field),
  }));
  const buttons = links.slice(0, SLACK.buttons).map(({ label, url }) => ({
    type: "button",
    text: { type: "plain_text", text: cut(label, SLACK.button) },
    url,
  }));
  const header = { type: "header", text: { type: "plain_text", text: cut(title, SLACK.header) } };
  const blocks: JsonObject[] = [header];
  if (fields.length > 0) blocks.push({ type: "section", fields });
  if (text) blocks.push({ type: "section", text: { type: "mrkdwn", text: quoted(text) } });
  if (buttons.length > 0) blocks.push({ type: "actions", elements: buttons });
  return { text: escaped(title), blocks };
}

/** Returns a text as preformatted, cut to the length of a block, and not within an escape. */
function quoted(text: string): string {
  // A zero-width space keeps the text from ending its own quotation.
  const safe = escaped(text).replaceAll(FENCE, "``\u200b`");
  const shown = cut(safe, SLACK.text - 2 * FENCE.length - 2).replace(/&[a-z]*…$/, "…");
  return `${FENCE}\n${shown}\n${FENCE}`;
}

/** Teams takes messages of 28 KB: https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors */
const TEAMS_TEXT = 3_000;
const TEAMS_FACT = 150;

/** Returns a message of Teams' incoming webhooks: one adaptive card. */
function teamsBody({ title, facts, text, links }: Notice): JsonObject {
  const shown = facts.slice(0, FACTS).map(([name, value]) => ({
    title: unlinked(cut(name, TEAMS_FACT)),
    value: unlinked(cut(value, TEAMS_FACT)),
  }));
  const head = { weight: "Bolder", size: "Medium", wrap: true };
  const body: JsonObject[] = [
    { type: "TextBlock", text: unlinked(cut(title, TEAMS_FACT)), ...head },
    { type: "FactSet", facts: shown },
  ];
  if (text !== undefined) {
    // The text of a run is no Markdown: it shows exactly what is asked.
    const run = { type: "TextRun", text: cut(text, TEAMS_TEXT), fontType: "Monospace" };
    body.push({ type: "RichTextBlock", inlines: [run] });
  }
  const opened = links.slice(0, 6);
  const actions = opened.map(({ label, url }) => ({ type: "Action.OpenUrl", title: label, url }));
  const schema = "http://adaptivecards.io/schemas/adaptive-card.json";
  const card = { $schema: schema, type: "AdaptiveCard", version: "1.4", body, actions };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content: card }] };
}

/** Returns a text without the links of Markdown, which would hide where they lead. */
function unlinked(text: string): string {
  return text.replaceAll("](", "]\u200b(");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}

/** An event as formats need it. */
export interface Event {
  /** The same in each attempt and for each destination. */
  id: string;
  /** The service's own address. */
  origin: string;
  message: DestinationMessage;
  data: JsonObject;
}

/** The titles of the events whose source gives none. */
const TITLES: Readonly<Record<string, string>> = {
  ping: "Test message from Prompthook",
  "endpoint.failing": "Endpoint is failing",
  "endpoint.recovered": "Endpoint has recovered",
  "callback.failed": "Callback failed",
  "schedule.missed": "Schedule missed a run",
  "connection.needs_attention": "Connection needs attention",
  "credits.low": "Credits are low",
  "quota.near": "Quota is nearly used up",
  "usage.daily": "Usage of the day",
  "destination.disabled": "Destination was disabled",
};

/** Returns what people read of an event, its title on one line: what its source says, or its plain data. */
export function noticeOf({ message, data, origin }: Event): Notice {
  const { type, notice } = message;
  const page = { label: "Open in Prompthook", url: `${origin}${message.page}` };
  const about = typeof data.name === "string" ? `: ${data.name}` : "";
  const heading = notice?.title ?? `${TITLES[type] ?? type}${about}`;
  const title = heading.replace(/[\s\p{Cc}]+/gu, " ").trim();
  if (notice !== undefined) {
    const links = notice.links.map((link) => ({ ...link, url: new URL(link.url, origin).href }));
    return { ...notice, title, links: [...links, page] };
  }
  const facts = Object.entries(data).flatMap(([name, value]): [string, string][] =>
    name === "url" || value === null || typeof value === "object"
      ? []
      : [[capital(wordsOf(name)), String(value)]],
  );
  return { title, facts, text: causesOf(data), links: [page] };
}

const failing = z.object({ causes: z.array(failureCause) });

/** Returns why an endpoint is failing, a line for each cause; nothing for other events. */
function causesOf(data: JsonObject): string | undefined {
  const lines = failing.safeParse(data).data?.causes.map(({ stage, path, message, count }) => {
    const [said = ""] = message.split("\n");
    return `${count} × ${stage}: ${path === null ? "" : `${path} `}${said}`;
  });
  return lines?.join("\n") || undefined;
}

/** Returns a notice as the text of a mail. */
export function plainText({ title, facts, text, links }: Notice): string {
  const lines = [title, "", ...facts.map(([name, value]) => `${name}: ${value}`)];
  if (text !== undefined) lines.push("", text);
  for (const { label, url } of links) lines.push("", `${label}:`, url);
  return `${lines.join("\n")}\n`;
}
