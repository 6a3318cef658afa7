import type { CreateWorkflowBody } from "../../../contract/workflow.ts";

/** A workflow to begin with: it runs with nothing set up, by a click or by any webhook with a `page`. */
export const EXAMPLE: CreateWorkflowBody = {
  name: "Headings of a page",
  prompt: "Open {{page}} and list its headings.",
  inputs: [
    {
      name: "page",
      type: "string",
      required: true,
      default: null,
      description: "The address of the page, such as https://example.com",
    },
  ],
};
