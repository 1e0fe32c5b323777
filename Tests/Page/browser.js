// What the page's modules expect of a browser when they are loaded: enough to test what they decide, not what they draw.

/** Sets the globals. The address can be changed with `visit`. */
const listeners = new Map();
const stored = new Map([["wireweight.language", "en"]]);
const values = {
  location: { hash: "" },
  navigator: { language: "en-US" },
  localStorage: { getItem: (name) => stored.get(name) ?? null, setItem: (name, value) => stored.set(name, value) },
  history: {
    pushState: (state, title, hash) => { globalThis.location.hash = hash; },
    replaceState: (state, title, hash) => { globalThis.location.hash = hash; },
  },
  addEventListener: (name, action) => listeners.set(name, action),
};
for (const [name, value] of Object.entries(values)) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

/**
 * Goes back or forward to an address, as the browser's buttons do.
 * @param {string} hash
 */
export function visit(hash) {
  globalThis.location.hash = hash;
  listeners.get("popstate")?.();
}

/**
 * Answers the page's requests.
 * @param {(url: URL) => { status?: number, body: unknown }} server
 */
export function serve(server) {
  globalThis.fetch = async (path, { signal } = {}) => {
    const { status = 200, body } = server(new URL(path, "http://localhost"));
    await null;
    signal?.throwIfAborted();
    return new Response(JSON.stringify(body), { status });
  };
}

/**
 * A row as the server sends it.
 * @param {object} [change]
 */
export function row(change = {}) {
  return {
    id: 1, task: 1, connection: 1, method: "GET", scheme: "http", host: "api.test", port: 8080, authority: "api.test:8080",
    path: "/users/7", template: "/users/{id}", status: 200, state: "completed", failed: false, type: "application/json",
    start: 1000, duration: 12, up: 100, down: 200, phases: [], direction: "called", ...change,
  };
}
