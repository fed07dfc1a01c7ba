/** Metrics of encryption at rest that exist even without encryption, as upstream. */
import { growingBounds } from '@coxswain/apimachinery/metrics/growing-bounds.ts';
import type { Counter, Histogram, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

export function describeKeys(metrics: Metrics): void {
  keyMisses(metrics);
  metrics.gauge('apiserver_envelope_encryption_dek_cache_fill_percent', 'Of KMS version 1 only.').set(0);
  metrics.counter('apiserver_storage_data_key_generation_failures_total', 'Of KMS version 1 only.');
  keysMade(metrics);
}

export const keysMade = (metrics: Metrics): Histogram =>
  metrics.histogram(
    'apiserver_storage_data_key_generation_duration_seconds',
    'Duration of the generation of data encryption keys in seconds.',
    growingBounds(5e-6, 2, 14),
  );

export const keyMisses = (metrics: Metrics): Counter =>
  metrics.counter(
    'apiserver_storage_envelope_transformation_cache_misses_total',
    'Cache misses that required a call of the KMS.',
  );
