import { routes } from "../../../../src/http/routes.ts";
import { refusesBadBodies } from "../../../support/worker/bad-bodies.ts";

refusesBadBodies(routes.filter(({ path }) => path.startsWith("/api/v1/webhooks")));
