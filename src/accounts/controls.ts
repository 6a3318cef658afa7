import * as z from "zod";
import { readableBy } from "../contract/fields.ts";
import {
  type AccountChange,
  type AccountControls,
  accountStatus,
  CREDITS_LOW_THRESHOLD,
  DEFAULT_QUOTAS,
  type ErasureProgress,
  erasureProgress,
  type Quotas,
  quotaChange,
  quotas,
} from "../contract/operators.ts";
import type { TableStorage } from "../durable/rows.ts";

const KEY = "controls";

const storedFields = z.object({
  v: z.literal(1),
  status: accountStatus.catch("suspended"),
  /** The quotas that an operator set; the others are the defaults. */
  quotas: quotaChange.catch({}),
  emailRecipients: z.array(z.string()).nullable(),
  googleSheets: z.array(z.string()).nullable(),
  /** Absent where none was set. */
  creditsLowThreshold: z.int().optional(),
  /** Whether D1 and the endpoints' inboxes know the newest of these. */
  published: z.boolean(),
  /** How far the account's erasure is; absent while it is not being erased. */
  erasure: erasureProgress.optional(),
});
type Stored = z.infer<typeof storedFields>;
/** Keeps the fields that only newer code knows. */
const stored: z.ZodType<Stored> = storedFields.extend({ readableBy }).loose();

const NONE: Stored = {
  v: 1,
  status: "active",
  quotas: {},
  emailRecipients: null,
  googleSheets: null,
  published: true,
};

/** What operators allow an account: its status, its quotas, and the targets of its agents. */
export class Controls {
  readonly #kv: TableStorage["kv"];
  #stored: Stored;
  #quotas: Quotas;

  constructor({ kv }: Pick<TableStorage, "kv">) {
    this.#kv = kv;
    const known = kv.get(KEY);
    this.#stored = known === undefined ? NONE : stored.parse(known);
    this.#quotas = quotasOf(this.#stored);
  }

  get status(): AccountControls["status"] {
    return this.#stored.status;
  }

  get quotas(): Quotas {
    return this.#quotas;
  }

  /** Whether a change has not reached D1 and the inboxes yet. */
  get isUnpublished(): boolean {
    return !this.#stored.published;
  }

  /** Changes with each change of the controls. */
  get revision(): object {
    return this.#stored;
  }

  get current(): AccountControls {
    const { status, emailRecipients, googleSheets } = this.#stored;
    const { creditsLowThreshold = CREDITS_LOW_THRESHOLD } = this.#stored;
    return { status, quotas: this.quotas, emailRecipients, googleSheets, creditsLowThreshold };
  }

  /** Changes the fields that are named, and of the quotas those that are named. */
  change({ status, quotas, emailRecipients, googleSheets, ...change }: ControlChange): void {
    const before = this.current;
    const { creditsLowThreshold = this.#stored.creditsLowThreshold } = change;
    const named = Object.entries(quotas ?? {}).filter(([, most]) => most !== undefined);
    this.#save({
      ...this.#stored,
      // An erasure goes on, whatever is set meanwhile.
      status: this.erasure === null ? (status ?? before.status) : "erasing",
      quotas: { ...this.#stored.quotas, ...Object.fromEntries(named) },
      emailRecipients: emailRecipients === undefined ? before.emailRecipients : emailRecipients,
      googleSheets: googleSheets === undefined ? before.googleSheets : googleSheets,
      ...(creditsLowThreshold !== undefined && { creditsLowThreshold }),
      published: false,
    });
  }

  get erasure(): ErasureProgress | null {
    return this.#stored.erasure ?? null;
  }

  /** Begins the account's erasure, which cannot be undone, or notes how far it is. */
  erasing(erasure: ErasureProgress): void {
    const published = this.#stored.erasure !== undefined && this.#stored.published;
    this.#save({ ...this.#stored, status: "erasing", erasure, published });
  }

  /** Notes that D1 and the inboxes know the current controls. */
  setPublished(): void {
    this.#save({ ...this.#stored, published: true });
  }

  #save(next: Stored): void {
    this.#kv.put(KEY, next);
    this.#stored = next;
    this.#quotas = quotasOf(next);
  }
}

const quotasOf = (of: Stored) => quotas.parse({ ...DEFAULT_QUOTAS, ...of.quotas });

type ControlChange = Omit<AccountChange, "name" | "requestsPerMinute">;
