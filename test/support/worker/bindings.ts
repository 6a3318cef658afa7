export const ADMIN_TOKEN = "the-operators-token-of-all-the-tests";
export const ID_KEY = btoa("abcdef0123456789abcdef0123456789");
export const NEW_ENCRYPTION_KEY = btoa("fedcba9876543210fedcba9876543210");
export const OLD_ENCRYPTION_KEY = btoa("0123456789abcdef0123456789abcdef");
export const ANTHROPIC_API_KEY = "sk-ant-of-tests";

/** The variables of the Worker under test. */
export function workerBindings(modelServerUrl: string): Record<string, string> {
  return {
    ADMIN_TOKEN,
    ALLOW_LOOPBACK: "true",
    ENCRYPTION_KEY: `${NEW_ENCRYPTION_KEY},${OLD_ENCRYPTION_KEY}`,
    ID_KEY,
    ANTHROPIC_API_KEY,
    OPENAI_BASE_URL: modelServerUrl,
    DEFAULT_MODEL: "openai/hangs",
    EMAIL_FROM: "agent@prompthook.example",
    EMAIL_ALLOWED_RECIPIENTS: "@example.com",
  };
}
