// Senders that do not sign, under the names of their presets.
export { auth0 } from "./auth0.ts";
export { cloudevents } from "./cloudevents.ts";
export { eventGrid as "event-grid" } from "./event-grid.ts";
export { figma } from "./figma.ts";
export { gitlab } from "./gitlab.ts";
export { microsoftGraph as "microsoft-graph" } from "./microsoft-graph.ts";
export { okta } from "./okta.ts";
export { pipedrive } from "./pipedrive.ts";
export { postmark } from "./postmark.ts";
export { telegram } from "./telegram.ts";
