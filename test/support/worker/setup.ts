import { afterAll } from "vitest";
import { emptyInboxes } from "./inboxes.ts";
import "./pool.ts";

// The service's lines about what goes well would bury what a test says.
console.info = () => {};
afterAll(emptyInboxes);
