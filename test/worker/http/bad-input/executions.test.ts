import { routes } from "../../../../src/http/routes.ts";
import { refusesBadBodies } from "../../../support/worker/bad-bodies.ts";
import { AGENT } from "../../../support/worker/client.ts";

refusesBadBodies(routes.filter(({ path }) => path.startsWith(AGENT)));
