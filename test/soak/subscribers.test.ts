import { describeSubscribers } from "../fault/support/subscribers.ts";
import { TIMEOUT_MS } from "./size.ts";

describeSubscribers({ events: 10_000, failMs: 60_000, kills: 10, timeoutMs: TIMEOUT_MS });
