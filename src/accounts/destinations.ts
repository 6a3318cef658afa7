import * as z from "zod";
import {
  type AddDestinationReply,
  type ChangeDestinationReply,
  type DestinationChange,
  type DestinationRecord,
  destinationRecord,
  type EventType,
  MAX_DESTINATIONS,
  type StoredDestination,
  storedDestination,
} from "../contract/destinations.ts";
import { type IdentityBody, stamped, withIdentity } from "../contract/revision.ts";
import { failedOnce, isGivenUp } from "../deliveries/schedule.ts";
import { jsonColumn, KnownTable } from "../durable/rows.ts";
import { iso } from "../lib/instants.ts";
import { canonicalJson } from "../lib/json-values.ts";

const row = z
  .object({ destination: jsonColumn<StoredDestination>(storedDestination) })
  .transform(({ destination }) => destination);

/** The destinations of an account: stored in its SQLite, and all of them in memory. */
export class Destinations extends KnownTable<"destinationId", StoredDestination> {
  protected override readonly table = "destinations";
  protected override readonly key = "destinationId";

  protected override read(): StoredDestination[] {
    return this.readable(
      { shape: row, what: "destination", id: "destination_id" },
      "SELECT * FROM destinations",
    );
  }

  add(destination: StoredDestination): AddDestinationReply {
    if (this.all().length >= MAX_DESTINATIONS) return { kind: "full", limit: MAX_DESTINATIONS };
    if (this.#isTaken(destination)) return { kind: "taken" };
    this.#store(destination);
    return { kind: "added", record: recordOf(destination) };
  }

  list(): DestinationRecord[] {
    return this.all().map(recordOf);
  }

  /** Returns the destination with an external id, or null. */
  at(externalId: string): StoredDestination | null {
    return this.all().find((each) => each.externalId === externalId) ?? null;
  }

  /** Returns the enabled destinations that take events of a type. */
  wanting(type: EventType): StoredDestination[] {
    return this.all().filter(({ status, events, format }) => {
      const isTraced = format === "otlp" && TRACED.includes(type);
      return status === "enabled" && (isTraced || events.includes(type));
    });
  }

  /** Changes a destination as a caller asked for it. Another revision is made if its settings differ. */
  revise(
    destinationId: string,
    change: DestinationChange,
    ifRevision?: number,
  ): ChangeDestinationReply {
    const before = this.find(destinationId);
    if (before === null) return null;
    if (ifRevision !== undefined && ifRevision !== before.revision) return "outdated";
    const after = changedDestination(before, change);
    if (this.#isTaken(after)) return "taken";
    this.#store(after);
    return recordOf(after);
  }

  /** Stores the state of a destination; its revision stays. */
  change(destinationId: string, change: Omit<DestinationChange, keyof IdentityBody>): void {
    const before = this.find(destinationId);
    if (before !== null) this.#store({ ...before, ...change });
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

  #isTaken({ destinationId, externalId }: StoredDestination): boolean {
    const other = externalId === null ? null : this.at(externalId);
    return other !== null && other.destinationId !== destinationId;
  }

  #store(destination: StoredDestination): void {
    const { destinationId } = destination;
    this.upsert("destinations", "destination_id", { destinationId, destination });
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

type Addressed = Pick<StoredDestination, "format" | "url" | "email">;

/** Returns an address as it is shown: the end of one of Slack or Teams is a secret. */
export function shownUrl({ format, url, email }: Addressed) {
  if (url === null) return `mailto:${email}`;
  if (format !== "slack" && format !== "teams") return url;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.slice(0, pathname.lastIndexOf("/") + 1)}…`;
}

/** Returns a destination after a change: another revision only if its settings differ. */
export function changedDestination(
  before: StoredDestination,
  { externalId, managedBy, ...change }: DestinationChange,
): StoredDestination {
  const { disabledReason, ...rest } = { ...before, ...change };
  const isDisabled = rest.status === "disabled" && disabledReason !== undefined;
  const after = isDisabled ? { ...rest, disabledReason } : rest;
  const isSame = canonicalJson(settingsIn(before)) === canonicalJson(settingsIn(after));
  const revision = before.revision + (isSame ? 0 : 1);
  const identity = stamped(withIdentity(before, { externalId, managedBy }), revision);
  return { ...after, revision, ...identity };
}

function settingsIn(destination: StoredDestination) {
  const { name, url, email, events, payload, content, sealedSecret, sealedHeaders } = destination;
  return { name, url, email, events, payload, content, sealedSecret, sealedHeaders };
}

/** Returns a destination as the API shows it. */
export function recordOf(destination: StoredDestination): DestinationRecord {
  const { url, failing, createdAt, updatedAt } = destination;
  // The schema leaves out what the record does not show.
  return destinationRecord.parse({
    ...destination,
    url: url === null ? null : shownUrl(destination),
    failingSince: failing === null ? null : iso(failing.since),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  });
}
