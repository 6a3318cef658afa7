import { PrompthookError } from "../../../client/error.ts";
import type { Dashboard } from "../../context.ts";
import { KeysPage, NewKeyPage } from "./pages.tsx";

/** The account's API keys: list, make, rotate, revoke. */
export function serveKeys(app: Dashboard): void {
  app.get("/keys", async (http) => {
    const { keys, nextCursor } = await http
      .get("api")
      .keys.list(cursorOf(http.req.query("cursor")));
    return http.html(<KeysPage keys={keys} nextCursor={nextCursor} now={Date.now()} />);
  });

  app.post("/keys", async (http) => {
    const { name } = await http.req.parseBody();
    try {
      const created = await http.get("api").keys.create({ name: String(name ?? "") });
      return http.html(<NewKeyPage created={created} />, 201);
    } catch (error) {
      if (!(error instanceof PrompthookError) || error.code !== "invalid_request") throw error;
      const { keys, nextCursor } = await http.get("api").keys.list();
      const fault = error.errors[0]?.message ?? error.message;
      const page = <KeysPage keys={keys} nextCursor={nextCursor} now={Date.now()} fault={fault} />;
      return http.html(page, 400);
    }
  });

  app.post("/keys/:keyId/rotate", async (http) => {
    const created = await http.get("api").keys.rotate(http.req.param("keyId"));
    return http.html(<NewKeyPage created={created} />, 201);
  });

  app.post("/keys/:keyId/revoke", async (http) => {
    await http.get("api").keys.revoke(http.req.param("keyId"));
    return http.redirect("/dashboard/keys", 303);
  });
}

function cursorOf(cursor: string | undefined) {
  return cursor === undefined ? {} : { cursor };
}
