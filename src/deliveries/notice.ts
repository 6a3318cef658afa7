import type { DestinationMessage, EventType, Notice } from "../contract/destinations.ts";
import type { JsonObject } from "../contract/json.ts";

/** An event as formats need it. */
export interface Event {
  /** The same in each attempt and for each destination. */
  id: string;
  /** The service's own address. */
  origin: string;
  message: DestinationMessage;
  data: JsonObject;
}

const TITLES: Readonly<Record<EventType | "ping", string>> = {
  ping: "Test message from Prompthook",
  "execution.completed": "Execution completed",
  "execution.failed": "Execution failed",
  "execution.stopped": "Execution stopped",
  "execution.waiting_for_input": "Execution waits for input",
  "decision.requested": "Decision requested",
  "decision.decided": "Decision made",
  "decision.expired": "Decision expired",
  "endpoint.failing": "Endpoint is failing",
  "endpoint.recovered": "Endpoint has recovered",
  "callback.failed": "Callback failed",
  "schedule.missed": "Schedule missed a run",
  "connection.needs_attention": "Connection needs attention",
  "credits.low": "Credits are low",
  "quota.near": "Quota is nearly used up",
  "usage.daily": "Usage of the day",
  "config.changed": "Configuration changed",
  "destination.disabled": "Destination was disabled",
};

/** Returns what people read of an event: what its source says, or else its plain data. */
export function noticeOf({ message, data, origin }: Event): Notice {
  const { type, notice } = message;
  const page = { label: "Open in Prompthook", url: `${origin}${message.page}` };
  if (notice !== undefined) return { ...notice, links: [...notice.links, page] };
  const facts = Object.entries(data).flatMap(([name, value]): [string, string][] =>
    name === "url" || value === null || typeof value === "object" ? [] : [[name, String(value)]],
  );
  return { title: TITLES[type as EventType] ?? type, facts, links: [page] };
}

/** Returns a notice as the text of a mail. */
export function plainText({ title, facts, text, links }: Notice, origin: string): string {
  const lines = [title, "", ...facts.map(([name, value]) => `${name}: ${value}`)];
  if (text !== undefined) lines.push("", text);
  for (const { label, url } of links) lines.push("", `${label}:`, absolute(url, origin));
  return `${lines.join("\n")}\n`;
}

/** Returns a link with the service's address. */
export function absolute(url: string, origin: string): string {
  return url.startsWith("/") ? `${origin}${url}` : url;
}
