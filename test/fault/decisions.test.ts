import { describeDecisions } from "./support/decisions.ts";

describeDecisions(1, 300_000);
