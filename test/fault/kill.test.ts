import { describeSurvival } from "./support/survival.ts";

describeSurvival(2, 120_000);
