import { LockedEndpointError } from "../inbound/open-endpoint.ts";
import { unavailable } from "./problem.ts";

/** An endpoint whose secrets cannot be opened can check nobody: its senders are to come again. */
export async function unlocked<Opened>(opening: Promise<Opened>): Promise<Opened> {
  try {
    return await opening;
  } catch (error) {
    if (!(error instanceof LockedEndpointError)) throw error;
    throw unavailable("The endpoint's secrets cannot be opened at this moment.", 60);
  }
}
