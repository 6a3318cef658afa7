import { describeDecisions } from "./support/decisions.ts";

describeDecisions(2, 120_000);
