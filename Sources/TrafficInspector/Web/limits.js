// From when a call is slow: the 95th percentile of its own API, as the server knows it of everything that was metered.
import { get } from "./api.js";
import { apiName } from "./format.js";

/** How long the percentiles are kept, in milliseconds: those of many calls change slowly. */
const kept = 60_000;

/** @typedef {Map<string, number>} Slow the limits in milliseconds, by the names that `slowName` gives */

/**
 * The name of a row's API among the limits.
 * @param {{ method: string, host: string, template: string, direction: string }} api
 */
export function slowName(api) {
  return `${api.direction} ${apiName(api)}`;
}

/** @param {(slow: Slow) => void} known takes the limits when they have come */
export function makeLimits(known) {
  let askedAt = -Infinity;
  return {
    /** Asks for them, unless that was a short time ago. */
    async load() {
      if (performance.now() - askedAt < kept) return;
      askedAt = performance.now();
      try {
        /** @type {{ apis: { method: string, host: string, template: string, direction: string, p95: number | null }[] }} */
        const { apis } = await get("limits");
        known(new Map(apis.flatMap((api) => api.p95 === null ? [] : [[slowName(api), api.p95]])));
      } catch {
        // Then rows are compared with what is filtered.
        askedAt = -Infinity;
      }
    },
    /** What was known is of another recording. */
    forget() {
      askedAt = -Infinity;
      known(new Map());
    },
  };
}
