import type { LocalService } from "../local/service.ts";
import { callbackTask } from "./tasks/callback.ts";
import { spreadsheetTask } from "./tasks/spreadsheet.ts";
import { webhookTask } from "./tasks/webhook.ts";

/** Something that the demo shows. */
export interface DemoTask {
  /** What it shows, in a few words. */
  shows: string;
  /** Works with the service, on the demo's site, and tells what happens. */
  run(service: LocalService, site: string): Promise<void>;
}

/** What `--task` can name. */
export const TASKS: Partial<Record<string, DemoTask>> = {
  callback: callbackTask,
  spreadsheet: spreadsheetTask,
  webhook: webhookTask,
};
