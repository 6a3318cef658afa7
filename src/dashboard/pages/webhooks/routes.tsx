import type { Dashboard } from "../../context.ts";
import { namesFor } from "../workflows/names.ts";
import { serveEndpoint } from "./endpoint.tsx";
import { EndpointsPage } from "./list.tsx";
import { serveNewEndpoint } from "./make.tsx";
import { serveRules } from "./rules.tsx";
import { serveSecret } from "./secret.tsx";
import { serveSettings } from "./settings/settings.tsx";
import { serveShape } from "./shape.tsx";
import { serveTry } from "./try.tsx";

/** The account's endpoints and all there is to do with one, but for its request log. */
export function serveWebhooks(app: Dashboard): void {
  app.get("/webhooks", async (http) => {
    const api = http.get("api");
    const cursor = http.req.query("cursor");
    const page = await api.webhooks.list(cursor === undefined ? {} : { cursor });
    const workflowNames = await namesFor(api, page.endpoints);
    return http.html(
      <EndpointsPage {...page} workflowNames={workflowNames} isFirstPage={cursor === undefined} />,
    );
  });
  serveNewEndpoint(app);
  serveEndpoint(app);
  serveSettings(app);
  serveSecret(app);
  serveTry(app);
  serveRules(app);
  serveShape(app);
}
