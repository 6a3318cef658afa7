import { describeSurvival } from "../fault/support/survival.ts";
import { KILLS, TIMEOUT_MS } from "./size.ts";

describeSurvival(KILLS, TIMEOUT_MS);
