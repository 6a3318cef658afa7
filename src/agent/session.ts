import { DurableObject } from "cloudflare:workers";
import type { SessionApi } from "../contract/session.ts";
export abstract class ExecutionSession extends DurableObject<CloudflareEnv> implements SessionApi {
  abstract start: SessionApi["start"];
  abstract status: SessionApi["status"];
  abstract waitForStatus: SessionApi["waitForStatus"];
  abstract result: SessionApi["result"];
  abstract message: SessionApi["message"];
  abstract stop: SessionApi["stop"];
  abstract events: SessionApi["events"];
  abstract file: SessionApi["file"];
  abstract callbacks: SessionApi["callbacks"];
  abstract redeliver: SessionApi["redeliver"];
  abstract beginDelivery: SessionApi["beginDelivery"];
  abstract endDelivery: SessionApi["endDelivery"];
}
