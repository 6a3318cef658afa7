import { DurableObject } from "cloudflare:workers";
import type { BackupPage } from "../contract/backup.ts";
import type { AlarmScheduler } from "./alarm-scheduler.ts";
import { copyPage, goBack, openCopy, storePage } from "./backup.ts";
import { beforeRetry, startSafely } from "./safe-start.ts";

/** An object that stores its state: it starts, wakes, is copied and goes back in time as all of them do. */
export abstract class StoredObject<Wakeup extends string> extends DurableObject<CloudflareEnv> {
  protected abstract readonly alarms: AlarmScheduler<Wakeup>;
  /** The steps that lead to its tables. */
  protected abstract readonly schema: readonly string[];

  /** Reads what is stored. Called within a transaction, also in an object that never stored anything. */
  protected abstract load(): void;

  /** Starts the object, at the end of its constructor; `name` is that of its class. */
  protected begin(name: string): void {
    startSafely(name, this.ctx, {
      load: () => this.load(),
      recover: () => this.alarms.recover(),
    });
  }

  /** Wakes the object for a task, not after this time (epoch milliseconds). */
  protected wakeAt(task: Wakeup, at: number): void {
    this.alarms.setSooner(task, at);
    this.alarms.arm();
  }

  /** Does what is due, until nothing is, or the alarm's time is used up. It never throws. */
  override async alarm(info?: AlarmInvocationInfo): Promise<void> {
    await beforeRetry(this.ctx, info);
    await this.alarms.handleAlarm();
  }

  async copy(cursor: string | null) {
    return copyPage(this.ctx.storage, cursor);
  }

  async restore(backupId: string, page: Pick<BackupPage, "schema" | "tables">) {
    return storePage(this.ctx.storage, this.schema, backupId, page);
  }

  async open(): Promise<void> {
    if (!openCopy(this.ctx.storage)) return;
    this.load();
    await this.alarms.recover();
  }

  async goBack(to: number, options: { dryRun: boolean }) {
    return goBack(this.ctx, to, options);
  }
}
