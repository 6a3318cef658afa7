/**
 * The test pool wraps the prototype of an entry point, and of an object's class, in one more Proxy with
 * each instance, which is with each request. After a thousand of them a request took 350 ms in place of
 * 4. One Proxy does what the pool wants; it has to be there before the first instance is.
 */
function wrapPrototypesOnce(): void {
  const wrapped = new WeakSet<object>();
  globalThis.Proxy = new Proxy(globalThis.Proxy, {
    construct(original, args: [object, ProxyHandler<object>]) {
      const [target] = args;
      if (wrapped.has(target)) return target;
      const proxy: object = Reflect.construct(original, args);
      if (isPrototypeOfPool(target)) wrapped.add(proxy);
      return proxy;
    },
  });
}

/** The pool names its classes `Class`. */
function isPrototypeOfPool(target: object): boolean {
  const own: unknown = Object.getOwnPropertyDescriptor(target, "constructor")?.value;
  return typeof own === "function" && own.name === "Class";
}

wrapPrototypesOnce();

declare const __vitest_mocker__: {
  moduleRunner: { import(path: string): Promise<unknown> };
};

/**
 * The pool asks Vite for the Worker's module with each request, which costs a round trip and fails for
 * what objects still do when their test file has ended. It is asked once.
 */
function importWorkerOnce(): void {
  const { moduleRunner } = __vitest_mocker__;
  const load = moduleRunner.import.bind(moduleRunner);
  const loaded = new Map<string, unknown>();
  moduleRunner.import = async (path) => {
    if (!path.endsWith("/index.mjs")) return load(path);
    if (!loaded.has(path)) loaded.set(path, await load(path));
    return loaded.get(path);
  };
}

importWorkerOnce();
