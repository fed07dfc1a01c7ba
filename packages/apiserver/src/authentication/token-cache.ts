/**
 * Caches the result of token authentication briefly, and shares one lookup among concurrent requests with the same
 * token.
 */
import type { Clock } from '@coxswain/apimachinery';
import { LruMap } from '@coxswain/client/events/lru-map.ts';
import type { Counter, Gauge, Histogram, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import {
  refused,
  type Authentication,
  type MaybeAuthentication,
  type TokenAuthenticator,
} from './authenticator.ts';

export interface TokenCacheOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: (line: string) => void;
  /** 0 disables caching. */
  readonly successTtlMs: number;
  readonly failureTtlMs: number;
  /** Whether failures are cached too; otherwise only those without a reason are. */
  readonly keepsErrors: boolean;
}

/** Of all tokens that are kept, for whatever audiences: twice the nodes and service accounts of a large cluster. */
const charactersMax = 48 * 1024 * 1024;
/** What is kept beside a token takes as much. */
const charactersBeside = 256;
/** What stays when there is no room. */
const keptPart = 7 / 8;

/** Longer tokens are never cached. */
const tokenCharactersMax = 16 * 1024;

interface Entry {
  readonly found: Authentication;
  readonly untilMs: number;
  /** Where it is kept. */
  readonly token: string;
  readonly known: Known;
}

/** The cached results for one list of audiences. */
interface Known {
  readonly entries: Map<string, Entry>;
  readonly underWay: Map<string, Promise<Authentication>>;
}

/** Lists of audiences that tokens are asked about for; reviews may name any. Longer ones are not told apart for later. */
const audienceListsMax = 1_000;
const audienceCharactersMax = 4 * 1024;

/** What is kept of all tokens; the oldest makes room. */
class KeptTokens {
  readonly #oldestFirst = new Set<Entry>();
  #characters = 0;

  keep(entry: Entry): void {
    const { known, token } = entry;
    const before = known.entries.get(token);
    if (before !== undefined) this.#forget(before);
    known.entries.set(token, entry);
    this.#oldestFirst.add(entry);
    this.#characters += token.length + charactersBeside;
    if (this.#characters > charactersMax) this.#makeRoom();
  }

  /** Some at a time: to find the oldest one is to pass all that have gone before it. */
  #makeRoom(): void {
    for (const oldest of this.#oldestFirst) {
      if (this.#characters <= charactersMax * keptPart) return;
      this.#forget(oldest);
    }
  }

  #forget(entry: Entry): void {
    entry.known.entries.delete(entry.token);
    this.#oldestFirst.delete(entry);
    this.#characters -= entry.token.length + charactersBeside;
  }
}

export function cachedTokens(inner: TokenAuthenticator, options: TokenCacheOptions): TokenAuthenticator {
  const { clock, successTtlMs, failureTtlMs, keepsErrors, log } = options;
  const counts = new TokenCacheMetrics(options.metrics);
  const knownOf = knownByAudiences();
  const kept = new KeptTokens();

  const keep = (known: Known, token: string, found: Authentication): Authentication => {
    if (!keepsErrors && found.kind === 'refused') return found;
    const ttlMs = found.kind === 'authenticated' ? successTtlMs : failureTtlMs;
    if (ttlMs > 0 && token.length <= tokenCharactersMax) {
      kept.keep({ found, untilMs: clock.monotonic() + ttlMs, token, known });
    }
    return found;
  };
  const ask = async (known: Known, token: string, pending: Promise<Authentication>) => {
    try {
      return keep(known, token, await pending);
    } catch (failure) {
      log(
        `authenticating a token: ${failure instanceof Error ? (failure.stack ?? failure.message) : failure}`,
      );
      return crashed;
    } finally {
      known.underWay.delete(token);
    }
  };

  return {
    name: inner.name,
    authenticateToken(token, audiences): MaybeAuthentication {
      const fromMs = clock.monotonic();
      const known = knownOf(audiences);
      const entry = known.entries.get(token);
      if (entry !== undefined && entry.untilMs > fromMs) {
        counts.hit();
        return entry.found;
      }
      const shared = known.underWay.get(token);
      if (shared !== undefined) return counts.blocked(shared, () => clock.monotonic() - fromMs);
      const found = inner.authenticateToken(token, audiences);
      if (!(found instanceof Promise)) {
        counts.missed(clock.monotonic() - fromMs, found.kind !== 'refused');
        return keep(known, token, found);
      }
      const asked = counts.fetching(ask(known, token, found), () => clock.monotonic() - fromMs);
      known.underWay.set(token, asked);
      return asked;
    },
  };
}

/** Requests all pass the same list, that of the server's own audiences. */
function knownByAudiences(): (audiences: readonly string[]) => Known {
  const lists = new LruMap<string, Known>(audienceListsMax);
  let lastList: readonly string[] | undefined;
  let last: Known | undefined;
  return (audiences) => {
    if (audiences === lastList) return last!;
    const key = JSON.stringify(audiences);
    let known = lists.get(key);
    if (known === undefined) {
      known = { entries: new Map(), underWay: new Map() };
      if (key.length <= audienceCharactersMax) lists.set(key, known);
    }
    lastList = audiences;
    last = known;
    return known;
  };
}

const crashed = refused('Internal error occurred: authentication failed unexpectedly');

/** Upper bounds in seconds, Prometheus' defaults. */
const durationBounds: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

class TokenCacheMetrics {
  readonly #hits: readonly [Counter, Histogram];
  readonly #misses: readonly [Counter, Histogram];
  readonly #fetches: { readonly ok: Counter; readonly error: Counter };
  readonly #inFlight: Gauge;
  readonly #blocked: Gauge;
  #inFlightCount = 0;
  #blockedCount = 0;

  constructor(metrics: Metrics) {
    const prefix = 'authentication_token_cache_';
    const requests = (status: string): [Counter, Histogram] => [
      metrics.counter(`${prefix}request_total`, '', { status }),
      metrics.histogram(`${prefix}request_duration_seconds`, '', durationBounds, { status }),
    ];
    const active = (status: string) => metrics.gauge(`${prefix}active_fetch_count`, '', { status });
    const fetched = (status: string) => metrics.counter(`${prefix}fetch_total`, '', { status });
    this.#hits = requests('hit');
    this.#misses = requests('miss');
    this.#fetches = { ok: fetched('ok'), error: fetched('error') };
    this.#inFlight = active('in_flight');
    this.#blocked = active('blocked');
  }

  /** Upstream records whole milliseconds, so a hit counts as 0. */
  hit(): void {
    this.#hits[0].add();
    this.#hits[1].observe(0);
  }

  missed(durationMs: number, isOk: boolean): void {
    this.#fetches[isOk ? 'ok' : 'error'].add();
    this.#miss(durationMs);
  }

  async fetching(asked: Promise<Authentication>, durationMs: () => number): Promise<Authentication> {
    this.#inFlight.set(++this.#inFlightCount);
    const found = await this.#blocking(asked);
    this.#inFlight.set(--this.#inFlightCount);
    this.missed(durationMs(), found.kind !== 'refused');
    return found;
  }

  async blocked(shared: Promise<Authentication>, durationMs: () => number): Promise<Authentication> {
    const found = await this.#blocking(shared);
    this.#miss(durationMs());
    return found;
  }

  async #blocking(pending: Promise<Authentication>): Promise<Authentication> {
    this.#blocked.set(++this.#blockedCount);
    try {
      return await pending;
    } finally {
      this.#blocked.set(--this.#blockedCount);
    }
  }

  #miss(durationMs: number): void {
    this.#misses[0].add();
    this.#misses[1].observe(durationMs / 1000);
  }
}
