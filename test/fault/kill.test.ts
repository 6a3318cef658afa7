import { describeSurvival } from "./support/survival.ts";

describeSurvival(2, 300_000);
