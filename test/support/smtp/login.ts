/** The login that the servers know; its password has what a URL has to encode. */
export const LOGIN = { user: "agent@prompthook.example", pass: "p:ä/s%s" };
