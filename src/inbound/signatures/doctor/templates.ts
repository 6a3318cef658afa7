import { PRESETS, type SignatureScheme } from "../../../contract/inbound/signature.ts";
import { presetOf } from "../presets.ts";
import { partsOf } from "../template.ts";
import { type SentValue, sentIds, sentTimestamps } from "./sent.ts";

/** A template with values that were sent for it. */
export interface OtherTemplate {
  template: string;
  timestamp: SentValue | null;
  id: SentValue | null;
}

const COMMON = [
  "{timestamp}{body}",
  "{timestamp}:{body}",
  "{timestamp}\n{body}",
  "{body}{timestamp}",
  "{body}.{timestamp}",
  "{id}.{body}",
  "{url}.{body}",
  "{timestamp}{url}{body}",
  "{url}{timestamp}{body}",
  "{url}",
];

/** The configured template first, then those of the presets and common ones, as far as they can be filled. */
export function templatesOf(scheme: SignatureScheme, headers: Headers): OtherTemplate[] {
  const presets = PRESETS.map((name) => presetOf(name).scheme.template);
  const templates = [...new Set([scheme.template, ...presets, ...COMMON])];
  const timestamps = sentTimestamps(scheme, headers);
  const ids = sentIds(scheme, headers);
  return templates.flatMap((template) => {
    const parts = partsOf(template);
    const chosen = (part: string, sent: SentValue[]): (SentValue | null)[] =>
      parts.includes(part) ? sent : [null];
    return chosen("timestamp", timestamps).flatMap((timestamp) =>
      chosen("id", ids).map((id) => ({ template, timestamp, id })),
    );
  });
}

/** What the operator has to change for a template that matched; null for the configured one. */
export function templateNote(
  scheme: SignatureScheme,
  { template, timestamp, id }: OtherTemplate,
): string | null {
  const sources = [
    ["timestamp", timestamp, scheme.timestampHeader] as const,
    ["id", id, scheme.idHeader] as const,
  ].flatMap(([part, sent, configured]) =>
    sent === null || sent.header === (configured ?? pairOf(scheme))
      ? []
      : [[part, sent.header] as const],
  );
  const from = sources.map(([part, header]) => `{${part}} from ${header}`).join(" and ");
  if (template === scheme.template) {
    return from === "" ? null : `The signature takes ${from}, which is not configured so.`;
  }
  return `The sender signs ${show(template)}${from && `, with ${from}`}, and ${show(scheme.template)} is configured: ${adviceFor(scheme, template)}`;
}

const pairOf = ({ header, timestampPair }: SignatureScheme): string =>
  `${header} (${timestampPair}=)`;

const show = (template: string): string => template.replaceAll("\n", "\\n");

function adviceFor(scheme: SignatureScheme, template: string): string {
  const parts = partsOf(template);
  const timed = partsOf(scheme.template).includes("timestamp");
  if (!parts.includes("body") && !parts.includes("sortedParams")) {
    return "the body is not covered, so it can be none of a sender to trust.";
  }
  if (timed && !parts.includes("timestamp")) {
    return `it is signed without the timestamp: set template to "${show(template)}".`;
  }
  return `set template to "${show(template)}".`;
}
