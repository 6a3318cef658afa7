import { routes } from "../../../../src/http/routes.ts";
import { refusesBadBodies } from "../../../support/worker/bad-bodies.ts";
import { AGENT } from "../../../support/worker/client.ts";

/** Webhooks come in at addresses and with bodies that are each endpoint's own. */
const ELSEWHERE = [AGENT, "/api/v1/webhooks", "/hooks/"];

refusesBadBodies(routes.filter(({ path }) => !ELSEWHERE.some((room) => path.startsWith(room))));
