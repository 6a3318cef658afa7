import * as z from "zod";
import { modelName } from "./models.ts";

/** The response of GET /agent/capabilities. */
export const capabilities = z
  .object({
    models: z.array(modelName).describe("Models to choose from, the default of the service first."),
    modelForms: z
      .array(z.string())
      .describe("The forms of all models that can be named, such as `openai/<model>`."),
    tools: z
      .array(
        z.object({
          name: z.string().describe("The tool, as `tools` and `approvals` name it."),
          description: z.string().describe("What it does."),
          credits: z.int().describe("Credits per call."),
        }),
      )
      .describe("The built-in tools that this service has."),
  })
  .meta({ id: "Capabilities", description: "The models and tools of the service." });
export type Capabilities = z.infer<typeof capabilities>;
