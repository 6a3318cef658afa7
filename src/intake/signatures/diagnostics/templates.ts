import { presetOf, RECOGNIZED } from "../presets.ts";
import { signedHeaderText, type TextScheme } from "../signature-headers.ts";
import {
  isField,
  isTimed,
  partsOf,
  type SignedHeaderText,
  type TimedScheme,
} from "../signed-message.ts";
import type { Finding } from "./finding.ts";
import { IN_ITEMS, type SentValue, sentIds, sentTimestamps } from "./sent-headers.ts";

/** A template with values from the request. */
export interface OtherTemplate {
  template: string;
  timestamp: SentValue | null;
  id: SentValue | null;
  /** The headers that the request says it signs, by the scheme of the template. */
  signed: SignedHeaderText | null;
}

const COMMON = [
  ...["", ":", "\n", "|", "_", "-", " "].map((separator) => `{timestamp}${separator}{body}`),
  "{body}{timestamp}",
  "{body}.{timestamp}",
  "{id}.{body}",
  "{id}{body}",
  "{timestamp}.{id}.{body}",
  "{url}{body}",
  "{body}{url}",
  "{url}.{body}",
  "{timestamp}{url}{body}",
  "{method}{url}{body}",
  "{url}",
  "{timestamp}",
];

/** Returns the configured template, then those of the presets and common ones that the request can fill. */
export function templatesOf(scheme: TextScheme, headers: Headers): OtherTemplate[] {
  const presets = RECOGNIZED.map((name) => presetOf(name).scheme)
    // A sender whose header is there is the likeliest.
    .sort((a, b) => Number(headers.has(b.header)) - Number(headers.has(a.header)))
    .map((preset) => [preset.template, signedHeaderText(preset, headers)] as const)
    .filter(([, signed]) => signed?.names !== "");
  const own = [scheme.template, signedHeaderText(scheme, headers)] as const;
  const common = COMMON.map((template) => [template, null] as const);
  const templates = new Map([own]);
  for (const [template, signed] of [...presets, ...common]) {
    if (!templates.has(template)) templates.set(template, signed);
  }
  const timestamps = sentTimestamps(scheme, headers);
  const ids = sentIds(scheme, headers);
  return [...templates].flatMap(([template, signed]) => {
    const parts = partsOf(template);
    const chosen = (part: string, sent: SentValue[]): (SentValue | null)[] =>
      parts.includes(part) ? sent : [null];
    return chosen("timestamp", timestamps).flatMap((timestamp) =>
      chosen("id", ids).map((id) => ({ template, timestamp, id, signed })),
    );
  });
}

/** Says what differs of a template that matched; null for the configured one. */
export function templateFinding(
  scheme: TextScheme,
  { template, timestamp, id }: OtherTemplate,
): Finding | null {
  const sources = [
    ["timestamp", timestamp, scheme.timestampHeader] as const,
    ["id", id, scheme.idHeader] as const,
  ].flatMap(([part, sent, configured]) =>
    sent === null || placeOf(sent) === (configured ?? pairOf(scheme))
      ? []
      : [[part, placeOf(sent)] as const],
  );
  const from = sources.map(([part, place]) => `{${part}} from ${place}`).join(" and ");
  if (template === scheme.template) {
    if (from === "") return null;
    return { cause: "signed_values", text: `The sender signs ${from}. Configure that header.` };
  }
  const text = `The sender signs ${show(template)}${from && `, with ${from}`}, but ${show(scheme.template)} is configured. ${templateAdvice(scheme, template)}`;
  return { cause: coversBody(template) ? "template" : "body_unsigned", text };
}

const placeOf = ({ header, pair }: SentValue): string =>
  pair === null ? header : `${header} (${pair === IN_ITEMS ? "a number" : `${pair}=`})`;

const pairOf = ({ header, form, timestampPair }: TextScheme): string =>
  placeOf({ text: "", header, pair: form === "items" ? IN_ITEMS : timestampPair });

const show = (template: string): string => template.replaceAll("\n", "\\n");

const BODY_PARTS = ["body", "sortedParams", "sortedUrl"];

function coversBody(template: string): boolean {
  const parts = partsOf(template);
  return parts.some((part) => BODY_PARTS.includes(part) || isField(part));
}

/** Whether a signed time protects the requests of a scheme from replays, but not those of another. */
export function losesTime(before: TimedScheme, after: TimedScheme): boolean {
  return isTimed(before) && !isTimed(after);
}

function templateAdvice(scheme: TextScheme, template: string): string {
  if (!coversBody(template)) {
    return "That does not cover the body, so it cannot be accepted. Ask the sender to sign the body.";
  }
  if (losesTime(scheme, { template })) {
    return `Without a signed time anyone could replay the request: have the sender sign ${show(scheme.template)}.`;
  }
  return `Set template to "${show(template)}".`;
}
