/** All configured issuers, replaced as a whole when the configuration file changes. */
import type { TokenAuthenticator } from '@coxswain/apiserver';
import { firstOpinion } from '@coxswain/apiserver/authentication/union.ts';
import { aggregateText, type Clock } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { jwtAuthenticator } from './jwt-authenticator.ts';
import { JwtMetrics } from './jwt-metrics.ts';
import type { JwtSettings, NewAuthenticators } from './jwt-settings.ts';
import type { StatedJwtAuthenticator } from './stated-configuration.ts';

export interface JwtAuthenticatorsParts {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly metrics: Metrics;
  /** This server's id among its peers. */
  readonly serverId: string;
}

/** How long new issuers may take to become ready, how often they are checked, and how long old ones stay in use. */
const readyMsMax = 60_000;
const lookEveryMs = 10_000;
const goOnMs = 60_000;

interface Generation {
  readonly tokens: TokenAuthenticator;
  readonly problems: () => readonly string[];
  readonly end: AbortController;
}

export interface JwtAuthenticators extends TokenAuthenticator {
  /** Stops background work. */
  stop(): void;
}

export function jwtAuthenticators(settings: JwtSettings, parts: JwtAuthenticatorsParts): JwtAuthenticators {
  const { clock, log } = parts;
  const metrics = new JwtMetrics(parts.metrics, clock, parts.serverId);
  const generationOf = (stated: readonly StatedJwtAuthenticator[]): Generation => {
    const end = new AbortController();
    const { client, signingAlgorithms } = settings;
    const all = stated.map((one) =>
      jwtAuthenticator(one, { client, signingAlgorithms, clock, log, metrics, signal: end.signal }),
    );
    return {
      tokens: firstOpinion(all),
      problems: () => all.flatMap(({ problem }) => problem() ?? []),
      end,
    };
  };

  let current = generationOf(settings.authenticators);
  const stopped = new AbortController();
  const exchange = async ({ authenticators, configuration }: NewAuthenticators): Promise<void> => {
    const next = generationOf(authenticators);
    const problems = await problemsAfterWait(next, clock);
    if (problems.length > 0 || stopped.signal.aborted) {
      next.end.abort();
      metrics.reloaded('failure');
      throw new Error(aggregateText([...problems, 'context deadline exceeded']));
    }
    const old = current;
    current = next;
    clock.after(goOnMs, () => old.end.abort(), { idle: true });
    metrics.reloaded('success');
    metrics.configurationHolds(configuration);
  };
  const { configuration, follow } = settings;
  if (configuration !== undefined) metrics.configurationHolds(configuration);
  const unfollow = follow?.((next) =>
    next === undefined ? Promise.resolve(metrics.reloaded('failure')) : exchange(next),
  );
  return {
    name: 'jwt',
    authenticateToken: (token, audiences) => current.tokens.authenticateToken(token, audiences),
    stop() {
      stopped.abort();
      unfollow?.();
      current.end.abort();
    },
  };
}

async function problemsAfterWait({ problems }: Generation, clock: Clock): Promise<readonly string[]> {
  const untilMs = clock.monotonic() + readyMsMax;
  while (problems().length > 0 && clock.monotonic() < untilMs) await clock.sleep(lookEveryMs);
  return problems();
}
