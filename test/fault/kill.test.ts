import { describeSurvival } from "./support/survival.ts";

describeSurvival(1, 300_000);
