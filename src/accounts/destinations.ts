import * as z from "zod";
import {
  type AddDestinationReply,
  type DestinationChange,
  type DestinationRecord,
  destinationRecord,
  type EventType,
  MAX_DESTINATIONS,
  type StoredDestination,
  storedDestination,
} from "../contract/destinations.ts";
import { failedOnce, isGivenUp } from "../deliveries/health.ts";
import { jsonColumn, KnownTable } from "../durable/rows.ts";

const row = z
  .object({ destination: jsonColumn<StoredDestination>(storedDestination) })
  .transform(({ destination }) => destination);

/** The destinations of an account: stored in its SQLite, and all of them in memory. */
export class Destinations extends KnownTable<StoredDestination> {
  protected override read(): StoredDestination[] {
    return this.readable(
      { shape: row, what: "destination", id: "destination_id" },
      "SELECT * FROM destinations",
    );
  }

  add(destination: StoredDestination): AddDestinationReply {
    if (this.all().length >= MAX_DESTINATIONS) return { kind: "full", limit: MAX_DESTINATIONS };
    this.#store(destination);
    return { kind: "added", record: recordOf(destination) };
  }

  list(): DestinationRecord[] {
    return this.all().map(recordOf);
  }

  find(destinationId: string): StoredDestination | null {
    return this.all().find((each) => each.destinationId === destinationId) ?? null;
  }

  /** Returns the enabled destinations that take events of a type. */
  wanting(type: EventType): StoredDestination[] {
    return this.all().filter(({ status, events, format }) => {
      const isTraced = format === "otlp" && TRACED.includes(type);
      return status === "enabled" && (isTraced || events.includes(type));
    });
  }

  /** Changes a destination; null if there is none. */
  change(destinationId: string, change: DestinationChange): DestinationRecord | null {
    const before = this.find(destinationId);
    if (before === null) return null;
    const { disabledReason, ...rest } = { ...before, ...change };
    const isDisabled = rest.status === "disabled" && disabledReason !== undefined;
    const after = isDisabled ? { ...rest, disabledReason } : rest;
    this.#store(after);
    return recordOf(after);
  }

  /** Removes a destination. Returns false if there is none with that id. */
  remove(destinationId: string): boolean {
    const isKnown = this.find(destinationId) !== null;
    this.sql.exec("DELETE FROM destinations WHERE destination_id = ?", destinationId);
    this.forget();
    return isKnown;
  }

  /** Notes an attempt. Returns whether it was the one too many, which disables the destination. */
  attempted(destinationId: string, isSuccess: boolean, now: number): boolean {
    const before = this.find(destinationId);
    if (before === null || (isSuccess && before.failing === null)) return false;
    const failing = isSuccess ? null : failedOnce(before.failing, now);
    const isDisabled = failing !== null && before.status === "enabled" && isGivenUp(failing, now);
    this.change(destinationId, {
      failing,
      ...(isDisabled && { status: "disabled", disabledReason: NO_SUCCESS }),
    });
    return isDisabled;
  }

  #store(destination: StoredDestination): void {
    this.insert(
      "destinations",
      { destination_id: destination.destinationId, destination: JSON.stringify(destination) },
      "ON CONFLICT (destination_id) DO UPDATE SET destination = excluded.destination",
    );
    this.forget();
  }
}

/** What becomes a trace: the end of an execution. */
const TRACED: readonly EventType[] = [
  "execution.completed",
  "execution.failed",
  "execution.stopped",
];

const NO_SUCCESS = "Every attempt of the last 5 days failed.";

/** Returns an address as it is shown: the end of one of Slack or Teams is a secret. */
export function shownUrl({
  format,
  url,
  email,
}: Pick<StoredDestination, "format" | "url" | "email">) {
  if (url === null) return `mailto:${email}`;
  if (format !== "slack" && format !== "teams") return url;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.slice(0, pathname.lastIndexOf("/") + 1)}…`;
}

function recordOf(destination: StoredDestination): DestinationRecord {
  const { url, failing, createdAt, updatedAt } = destination;
  const time = (at: number) => new Date(at).toISOString();
  // The schema leaves out what the record does not show.
  return destinationRecord.parse({
    ...destination,
    url: url === null ? null : shownUrl(destination),
    failingSince: failing === null ? null : time(failing.since),
    createdAt: time(createdAt),
    updatedAt: time(updatedAt),
  });
}
