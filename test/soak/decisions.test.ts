import { describeDecisions } from "../fault/support/decisions.ts";
import { KILLS, TIMEOUT_MS } from "./size.ts";

describeDecisions(KILLS, TIMEOUT_MS);
