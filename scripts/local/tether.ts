import { EventEmitter } from "node:events";

/**
 * Loaded into the dev server before anything else: it ends its whole process group when the process
 * that started it is gone, however that one ended. Otherwise a killed start would leave a server that
 * holds the port and the databases.
 */
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));

/**
 * The dev server's proxy reports a request whose sender broke off in the middle of the body as an error
 * of its own, and the dev server would end over it: anybody could stop the service that way.
 */
const { emit } = EventEmitter.prototype;
EventEmitter.prototype.emit = function (this: EventEmitter, name: string | symbol, ...args) {
  const [event]: unknown[] = args;
  if (name === "error" && isBrokenRequest(event)) return true;
  return emit.call(this, name, ...args);
};

function isBrokenRequest(event: unknown): boolean {
  if (typeof event !== "object" || event === null) return false;
  if (!("source" in event && "reason" in event)) return false;
  return event.source === "ProxyController" && event.reason === "Error inside ProxyWorker";
}
