/** Metrics of service account tokens, under upstream's names. */
import type { Counter, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

export interface ServiceAccountCounters {
  readonly legacy: Counter;
  readonly stale: Counter;
  readonly valid: Counter;
  readonly manual: Counter;
  readonly automatic: Counter;
  readonly invalidated: Counter;
}

const described = {
  legacy: ['legacy_tokens_total', 'Cumulative legacy service account tokens used'],
  stale: ['stale_tokens_total', 'Cumulative stale projected service account tokens used'],
  valid: ['valid_tokens_total', 'Cumulative valid projected service account tokens used'],
  manual: ['legacy_manual_token_uses_total', 'Cumulative manually created legacy tokens used'],
  automatic: ['legacy_auto_token_uses_total', 'Cumulative auto-generated legacy tokens used'],
  invalidated: [
    'invalid_legacy_auto_token_uses_total',
    'Cumulative invalid auto-generated legacy tokens used',
  ],
} as const;

export function serviceAccountCounters(metrics: Metrics): ServiceAccountCounters {
  const counter = ([name, help]: readonly [string, string]) =>
    metrics.counter(`serviceaccount_${name}`, help);
  return {
    legacy: counter(described.legacy),
    stale: counter(described.stale),
    valid: counter(described.valid),
    manual: counter(described.manual),
    automatic: counter(described.automatic),
    invalidated: counter(described.invalidated),
  };
}
