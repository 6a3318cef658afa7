import * as z from "zod";
import { oneOf, open, timestamp } from "./fields.ts";
import { type JsonObject, json } from "./json.ts";

/** The types of events that tell of something which is wrong until it is mended. */
export const ALERT_TYPES = [
  "endpoint.failing",
  "callback.failed",
  "schedule.missed",
  "connection.needs_attention",
  "credits.low",
  "quota.near",
] as const;
const alertType = z.enum(ALERT_TYPES);
export type AlertType = z.infer<typeof alertType>;

export const alertResource = open({
  kind: oneOf("account", "callback", "connection", "endpoint", "quota", "schedule").describe(
    "What it is about. `callback` is a host that receives callbacks.",
  ),
  id: z.string().describe("Its id."),
  name: z.string().describe("Its name."),
});

/** What is wrong now, as the API shows it. */
export const alertRecord = open({
  type: alertType.describe("The type of its events."),
  resource: alertResource.describe("What is wrong."),
  since: timestamp.describe("Since when."),
  lastAt: timestamp.describe("When it last happened."),
  count: z.int().describe("How often it has happened since then."),
  data: z.record(z.string(), json).describe("The details; the fields depend on the type."),
}).meta({ id: "Alert" });
export type AlertRecord = z.infer<typeof alertRecord>;

/** Something went wrong with a resource. */
export interface Trouble extends Pick<AlertRecord, "type" | "resource"> {
  data: JsonObject;
  /** The path of the page that shows it. */
  page: string;
  /** How often, if more than once. */
  count?: number;
}

/** A group of requests that were refused or failed for one reason. */
export const failureCause = open({
  stage: z.string(),
  path: z.string().nullable(),
  rule: z.string(),
  message: z.string(),
  count: z.int(),
});
export type FailureCause = z.infer<typeof failureCause>;

/** What an inbox reports of its endpoint. */
export type EndpointHealth =
  | {
      state: "failing";
      endpointId: string;
      name: string;
      /** The requests that were refused or failed since the last report. */
      count: number;
      /** Of the last ten minutes. */
      requests: number;
      failed: number;
      causes: FailureCause[];
    }
  | { state: "recovered"; endpointId: string; name: string };
