import assert from "node:assert/strict";
import { test } from "node:test";
import { row } from "./browser.js";

const { matches } = await import("../../Sources/TrafficInspector/Web/matching.js");

test("each filter takes what it names and nothing else", () => {
  const cases = [
    [{ status: "200" }, {}, { status: 201 }],
    [{ status: "2xx" }, { status: 299 }, { status: 300 }],
    [{ status: "400-499" }, { status: 499 }, { status: 500 }],
    [{ status: "none" }, { status: null }, {}],
    [{ status: "4xx" }, { status: 404 }, { status: null }],
    [{ type: "APPLICATION/" }, {}, { type: null }],
    [{ method: "GET" }, {}, { method: "POST" }],
    [{ host: "api.test" }, {}, { host: "other.test", authority: "other.test:8080" }],
    [{ api: "/users/{id}" }, {}, { template: "/users" }],
    [{ api: "GET api.test:8080/users/{id}" }, {}, { method: "POST" }],
    [{ path: "/users" }, {}, { path: "/items" }],
    [{ failed: "1" }, { failed: true }, {}],
    [{ slower: "10" }, {}, { duration: 10 }],
    [{ slower: "10" }, {}, { duration: null }],
    [{ since: "1000" }, {}, { start: 999 }],
    [{ until: "1001" }, {}, { start: 1001 }],
    [{ task: "1" }, {}, { task: 2 }],
    [{ connection: "1" }, {}, { connection: null }],
    [{ direction: "served" }, { direction: "served" }, {}],
    [{ direction: "called" }, {}, { direction: "served" }],
  ];
  for (const [filters, taken, left] of cases) {
    assert.equal(matches(row(taken), filters), true, `${JSON.stringify(filters)} takes ${JSON.stringify(taken)}`);
    assert.equal(matches(row(left), filters), false, `${JSON.stringify(filters)} leaves ${JSON.stringify(left)}`);
  }
});

test("what the row cannot say is left to the server", () => {
  assert.equal(matches(row(), { text: "token" }), null);
  assert.equal(matches(row(), { process: "curl" }), null);
  assert.equal(matches(row(), { text: "token", method: "POST" }), false);
});
