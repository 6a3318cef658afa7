import { auth } from "./auth.ts";
import { challenge } from "./challenge.ts";
import type { Check } from "./check.ts";
import { contentType } from "./content-type.ts";
import { endpoint } from "./endpoint.ts";
import { freshness } from "./freshness.ts";
import { https } from "./https.ts";
import { ip } from "./ip.ts";
import { mapping } from "./mapping.ts";
import { method } from "./method.ts";
import { parse } from "./parse.ts";
import { signature } from "./signature.ts";
import { size } from "./size.ts";
import { validation } from "./validation.ts";

/** All checks, in their order. The rate and the claim on the event id are decided by the inbox. */
export const CHECKS: readonly Check[] = [
  endpoint,
  https,
  method,
  ip,
  size,
  contentType,
  auth,
  signature,
  parse,
  challenge,
  freshness,
  validation,
  mapping,
];
