import type { Fault } from "../../contract/webhooks/payload.ts";
import type { Route, Routing } from "../../contract/webhooks/routing.ts";
import { mappingFaults } from "../mapping/faults.ts";
import { validationFaults } from "../validation.ts";
import { conditionFaults } from "./condition.ts";
import { keyFaults } from "./key.ts";

/** Returns the errors of routes to be saved, with their places in the body. */
export async function routingFaults(routing: Routing | null): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const [at, route] of (routing?.routes ?? []).entries()) {
    faults.push(...(await routeFaults(route, `routing.routes[${at}]`)));
  }
  return faults;
}

async function routeFaults(
  { when, validation, mapping, workflow, key }: Route,
  place: string,
): Promise<Fault[]> {
  const inner = [
    ...(validation === null ? [] : validationFaults(validation)),
    ...(await mappingFaults(mapping, workflow?.inputs ?? null)),
  ];
  return [
    ...(when === null ? [] : conditionFaults(when, `${place}.when`)),
    ...(key === null ? [] : keyFaults(key, `${place}.key`)),
    ...inner.map((fault) => ({ ...fault, path: `${place}.${fault.path}` })),
  ];
}
