import type { EventType, StoredDestination } from "../../src/contract/destinations.ts";

/** A destination of an account that takes these events. */
export const destinationOf = (destinationId: string, events: EventType[]): StoredDestination => ({
  destinationId,
  name: destinationId,
  format: "standard",
  url: "https://receiver.example/",
  email: null,
  events,
  payload: "thin",
  secret: null,
  sealedSecret: null,
  headers: [],
  sealedHeaders: null,
  content: false,
  status: "enabled",
  origin: "https://prompthook.example",
  failing: null,
  revision: 1,
  externalId: null,
  managedBy: null,
  createdAt: 0,
  updatedAt: 0,
});
