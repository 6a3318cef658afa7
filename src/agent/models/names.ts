/** Returns the name that the provider has for `provider/name`. */
export const modelIdOf = (name: string) => name.slice(name.indexOf("/") + 1);
