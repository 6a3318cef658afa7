import type { RunErrorCode } from "../../src/agent/tools/run-code.ts";

/** A program that means harm, and what has to come of it. */
export interface HostileProgram {
  does: string;
  code: string;
  /** The error; or `survives`, when it ends by itself without having reached anything. */
  ends: RunErrorCode | "survives";
}

const LOOPS: Record<string, string> = {
  "loops by while": "while (true);",
  "loops in a function that is called": "const f = () => {}; for (;;) f();",
  "loops in a generator": "function* g() { for (;;) yield 1; } for (const x of g());",
  "awaits for ever": "for (;;) await 0;",
  "loops in a then": "await Promise.resolve().then(() => { for (;;); });",
  "chains jobs":
    "const f = () => { Promise.resolve().then(f); }; f(); await new Promise(() => {});",
  "catches and goes on": "for (;;) { try { for (;;); } catch {} }",
  "loops in a getter": "return {get a() { for (;;); }};",
  "loops in a Proxy": "return new Proxy({}, {ownKeys() { for (;;); }});",
  "loops in toJSON": "return {toJSON() { for (;;); }};",
  "loops in a thrown error's message":
    "throw {__proto__: Error.prototype, get message() { for (;;); }};",
  "loops in a thrown Proxy":
    "throw new Proxy({}, {getPrototypeOf() { for (;;); }, get() { for (;;); }});",
  "loops in what it logs": "console.log({toJSON() { for (;;); }});",
  "logs for ever": "for (;;) console.log('spam');",
  "evaluates for ever": "for (;;) eval('1');",
  "imports for ever": "for (;;) await import('fs').catch(() => 0);",
  "matches a catastrophic pattern": "return /^(a+)+$/.test('a'.repeat(40) + 'b');",
};

/** Builtins that QuickJS runs without ever asking whether to go on. */
const BUILTINS: Record<string, string> = {
  "searches a long list again and again":
    "const a = new Array(1e6).fill(0); for (;;) a.indexOf(1);",
  "searches what has no end": "return Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1);",
  "sorts for ever": "const a = Array.from({length: 2e5}, Math.random); for (;;) a.sort();",
  "fills bytes for ever": "const a = new Uint8Array(1e7); for (;;) a.fill(1);",
  "searches a long text for ever": "const s = 'a'.repeat(1e7); for (;;) s.indexOf('ab');",
  "normalises for ever": "const s = '\\u1E9B\\u0323'.repeat(1e5); for (;;) s.normalize('NFKC');",
  "replaces for ever": "const s = 'a'.repeat(1e5); for (;;) s.replaceAll('a', 'b');",
  "parses for ever":
    "const s = JSON.stringify(new Array(1e5).fill({a: 1})); for (;;) JSON.parse(s);",
  "multiplies big integers": "const x = 2n ** 500000n + 1n; for (;;) x * x;",
  "formats dates for ever": "for (;;) new Date(2020, 1, 1).toString();",
  "collects garbage for ever":
    "const keep = []; for (let i = 0; i < 1e5; i++) keep.push({}); for (;;) { const o = {}; o.o = o; }",
};

const MEMORY: Record<string, string> = {
  "keeps lists": "const a = []; for (;;) a.push(new Array(1000).fill(1));",
  "keeps objects": "let a = {}; for (;;) a = {a};",
  "takes a milliard bytes": "return new ArrayBuffer(1e9).byteLength;",
  "repeats a text": "return 'x'.repeat(2 ** 28).length;",
  "doubles a text": "let s = 'x'; for (;;) { s += s; s.charCodeAt(0); }",
  "matches with much memory": "return /^(((a)*)*)*$/.test('a'.repeat(1e6));",
  "hides what it cannot have":
    "const a = []; try { for (;;) a.push({}); } catch { for (;;) a.push([{}]); }",
};

const STACK: Record<string, string> = {
  recurses: "const f = () => f(); f();",
  "recurses through a getter": "const o = {get a() { return this.a; }}; return o.a;",
  "recurses through a Proxy":
    "let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.a;",
  "recurses through a replacement": "const f = () => 'a'.replace(/a/, f); return f();",
  "binds a function often":
    "let f = () => 1; for (let i = 0; i < 3e3; i++) f = f.bind(); return f();",
  "returns a deep list": "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a;",
  "parses a deep list": "return JSON.parse('['.repeat(1e5));",
  "makes a deep pattern": "return new RegExp('(?:'.repeat(1e5));",
  "flattens a deep list":
    "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a.flat(Infinity);",
};

const OUTPUT: [does: string, code: string, ends: HostileProgram["ends"]][] = [
  ["returns a long text", "return 'x'.repeat(1e6);", "output_too_large"],
  [
    "returns a text that grows when it is stored",
    "return '\\u0001'.repeat(2e5);",
    "output_too_large",
  ],
  ["returns a text of many bytes", "return '\\u20ac'.repeat(2e5);", "output_too_large"],
  [
    "returns a list of 300 levels",
    "let a = []; for (let i = 0; i < 300; i++) a = [a]; return a;",
    "not_json",
  ],
  ["returns a circle", "const a = {}; a.a = a; return a;", "not_json"],
  ["returns a big integer", "return 1n;", "not_json"],
  ["throws in toJSON", "return {toJSON() { throw 1; }};", "not_json"],
  ["throws nothing", "throw undefined;", "code_error"],
  [
    "throws what throws",
    "throw {__proto__: Error.prototype, get message() { throw 1; }};",
    "code_error",
  ],
  ["throws a long text", "throw 'x'.repeat(1e7);", "code_error"],
  [
    "pretends to be out of memory",
    "const e = new InternalError('out of memory'); throw e;",
    "memory_limit",
  ],
  ["logs a long text", "console.log('x'.repeat(1e7)); return 1;", "survives"],
  ["closes the function around it", "}); for (const k in globalThis); (async () => {", "survives"],
];

/** Ways out that there must not be: each answers with nothing, or with an error of the code. */
const ESCAPES: [does: string, code: string, ends: HostileProgram["ends"]][] = [
  [
    "looks for a host",
    "const names = ['process', 'require', 'fetch', 'Deno', 'Bun', 'std', 'os', 'WebAssembly', 'setTimeout', 'caches', 'self', 'window', 'navigator', 'Worker', 'Atomics', 'print', 'scriptArgs']; const found = names.filter((name) => name in globalThis); if (found.length) for (;;); return found;",
    "survives",
  ],
  ["imports a module", "return await import('node:fs');", "code_error"],
  [
    "climbs up constructors",
    "if (console.log.constructor('return globalThis')() !== globalThis) for (;;); return typeof console.log.constructor('return process')",
    "survives",
  ],
  ["reaches for process by Function", "return Function('return process')();", "code_error"],
  ["reads its caller", "return console.log.caller;", "code_error"],
  [
    "spoils what the engine's own code uses",
    "Object.prototype.toJSON = () => 1; Array.prototype.push = null; Array.prototype.map = null; String.prototype.batch = () => { for (;;); }; JSON.stringify = () => '{'; JSON.parse = null; globalThis.String = null; globalThis.Error = null; Function.prototype.call = null; Reflect.apply = null; console.log('still'); return 5;",
    "survives",
  ],
  [
    "spoils promises",
    "Promise.prototype.then = () => { for (;;); }; globalThis.Promise = null; return 5;",
    "survives",
  ],
  [
    "spoils Object.prototype with setters",
    "for (const name of ['parse', 'text', 'explain', '0', 'length']) Object.defineProperty(Object.prototype, name, {get() { return 'x'; }, set() { throw 1; }}); return 5;",
    "survives",
  ],
  [
    "spoils errors before it throws one",
    "Object.prototype.toJSON = () => ({name: 'InternalError', message: 'stack overflow', stack: ''}); Error.prepareStackTrace = () => { throw 1; }; null.x;",
    "code_error",
  ],
];

const all = (programs: Record<string, string>, ends: RunErrorCode): HostileProgram[] =>
  Object.entries(programs).map(([does, code]) => ({ does, code, ends }));

const each = (programs: typeof OUTPUT): HostileProgram[] =>
  programs.map(([does, code, ends]) => ({ does, code, ends }));

export const HOSTILE: readonly HostileProgram[] = [
  ...all(LOOPS, "time_limit"),
  ...all(BUILTINS, "time_limit"),
  ...all(MEMORY, "memory_limit"),
  ...all(STACK, "stack_limit"),
  ...each(OUTPUT),
  ...each(ESCAPES),
];
