import * as z from "zod";

export const address = z.string().min(1).max(2_048).describe("An absolute http or https address.");
export const callId = z.string().min(1).max(128);
