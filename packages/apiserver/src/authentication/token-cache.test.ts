import { ManualClock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { expect, test } from 'vitest';
import { absent } from './authenticator.ts';
import { cachedTokens } from './token-cache.ts';

function cache() {
  const asked: string[] = [];
  const tokens = cachedTokens(
    {
      name: 'asked',
      authenticateToken(token) {
        asked.push(token);
        return absent;
      },
    },
    {
      clock: new ManualClock(),
      metrics: new Metrics(),
      log: () => undefined,
      successTtlMs: 120_000,
      failureTtlMs: 120_000,
      keepsErrors: false,
    },
  );
  return { tokens, asked };
}

const long = 'x'.repeat(16 * 1024 - 10);

test.each([
  ['of many long tokens', (at: number) => ['', long + at] as const, 4_000],
  ['of tokens for ever other audiences', (at: number) => [`audience-${at % 500}`, long + at] as const, 4_000],
])('%s the first are forgotten, and the last are known', (_, tokenOf, count) => {
  const { tokens, asked } = cache();
  const lists = new Map<string, readonly string[]>();
  const ask = (at: number): boolean => {
    const [audience, token] = tokenOf(at);
    const audiences = lists.get(audience) ?? [audience];
    lists.set(audience, audiences);
    const before = asked.length;
    void tokens.authenticateToken(token, audiences);
    return asked.length > before;
  };
  for (let at = 0; at < count; at++) ask(at);

  expect(ask(count - 1)).toBe(false);
  expect(ask(0)).toBe(true);
});
