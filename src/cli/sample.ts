import { type Json, type JsonObject, jsonObject } from "../contract/json.ts";
import { sampleFiller, type WebhookPreset } from "../contract/webhooks/presets.ts";
import { fieldTexts, isObject, mapTexts } from "../lib/json-values.ts";

type Sample = Pick<WebhookPreset, "sample" | "eventType">;

/**
 * Returns a request of a sender, without its signature: its sample under a fresh id and time, with another
 * type of event if one is named. `now` in epoch milliseconds.
 */
export function sampleOf(
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
