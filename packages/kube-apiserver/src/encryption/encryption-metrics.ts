/** Metrics of encryption at rest, under upstream's names. */
import type { Clock } from '@coxswain/apimachinery';
import { growingBounds } from '@coxswain/apimachinery/metrics/growing-bounds.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { EnvelopeObserver } from '@coxswain/storage/encryption/envelope-keys.ts';
import { GrpcError, grpcCodeName } from '@coxswain/grpc/status.ts';
import { sha256Text } from '@coxswain/storage/encryption/sha256-text.ts';
import { keyMisses, keysMade } from './key-metrics.ts';
import type { CallObserver } from './kms-plugin.ts';
import { TimestampedCounters } from './timestamped-counters.ts';

/** Called for each transformed value, and for each failure; `prefix` is that of the stored form. */
export type TransformationObserver = (
  direction: 'from_storage' | 'to_storage',
  prefix: string,
  seconds: number,
  failure?: unknown,
) => void;

const callBounds = growingBounds(0.0001, 2, 20);
const transformationBounds = growingBounds(5e-6, 2, 25);

export class EncryptionMetrics {
  readonly #metrics: Metrics;
  /** A hash, as in all labels that identify something secret or long. */
  readonly #server: Readonly<Record<'apiserver_id_hash', string>>;
  readonly #used: TimestampedCounters;
  readonly #named: TimestampedCounters;
  readonly #reloads: TimestampedCounters;
  #configurationHash: string | undefined;

  /** @param serverId this API server's id among its peers */
  constructor(metrics: Metrics, serverId: string, clock: Clock) {
    this.#metrics = metrics;
    this.#server = { apiserver_id_hash: sha256Text(serverId) };
    this.#used = new TimestampedCounters(clock);
    this.#named = new TimestampedCounters(clock);
    this.#reloads = new TimestampedCounters(clock);
    const keys = 'apiserver_envelope_encryption_key_id_hash';
    const reloads = 'apiserver_encryption_config_controller';
    metrics.samples('counter', `${keys}_total`, 'Values transformed, by key.', () => this.#used.counts());
    metrics.samples('gauge', `${keys}_last_timestamp_seconds`, 'When a key was used last.', () =>
      this.#used.moments(),
    );
    metrics.samples('gauge', `${keys}_status_last_timestamp_seconds`, 'When a key was named last.', () =>
      this.#named.moments(),
    );
    metrics.samples(
      'counter',
      `${reloads}_automatic_reloads_total`,
      'Times that the file was read again.',
      () => this.#reloads.counts(),
    );
    metrics.samples(
      'gauge',
      `${reloads}_automatic_reload_last_timestamp_seconds`,
      'When it was read last.',
      () => this.#reloads.moments(),
    );
    metrics.samples('gauge', `${reloads}_last_config_info`, 'Which configuration is in use.', () =>
      this.#configurationHash === undefined
        ? []
        : [{ labels: { ...this.#server, hash: this.#configurationHash }, value: 1 }],
    );
  }

  configured(hash: string): void {
    this.#configurationHash = hash;
  }

  reloaded(status: 'success' | 'failure'): void {
    this.#reloads.add({ ...this.#server, status });
  }

  ofCalls(provider: string): CallObserver {
    return (method, seconds, failure) => {
      const labels = { provider_name: provider, method_name: method, grpc_status_code: codeOf(failure) };
      this.#metrics
        .histogram(
          'apiserver_envelope_encryption_kms_operations_latency_seconds',
          'Latency of KMS operations in seconds.',
          callBounds,
          labels,
        )
        .observe(seconds);
    };
  }

  ofKeys(provider: string): EnvelopeObserver {
    const missed = keyMisses(this.#metrics);
    const made = keysMade(this.#metrics);
    const labelled = { provider_name: provider, ...this.#server };
    const size = this.#metrics.gauge(
      'apiserver_envelope_encryption_dek_source_cache_size',
      'Number of cached data encryption keys.',
      {
        provider_name: provider,
      },
    );
    return {
      keyUsed: (direction, keyId) =>
        this.#used.add({ ...labelled, transformation_type: direction, key_id_hash: sha256Text(keyId) }),
      keyMade: (seconds) => made.observe(seconds),
      keyMissed: () => missed.add(),
      keysKept: (count) => size.set(count),
      keyNamed: (keyId) => this.#named.add({ ...labelled, key_id_hash: sha256Text(keyId) }),
      keyMisnamed: (error) =>
        this.#metrics
          .counter(
            'apiserver_envelope_encryption_invalid_key_id_from_status_total',
            'Invalid key ids returned by Status calls.',
            {
              provider_name: provider,
              error,
            },
          )
          .add(),
    };
  }

  ofTransformations(resource: string): TransformationObserver {
    return (direction, prefix, seconds, failure) => {
      const labels = { transformation_type: direction, transformer_prefix: prefix };
      this.#metrics
        .counter(
          'apiserver_storage_transformation_operations_total',
          'Transformations of stored values, by result.',
          {
            ...labels,
            resource,
            status: codeOf(failure),
          },
        )
        .add();
      if (failure !== undefined) return;
      this.#metrics
        .histogram(
          'apiserver_storage_transformation_duration_seconds',
          'Duration of transformations of stored values in seconds.',
          transformationBounds,
          labels,
        )
        .observe(seconds);
    };
  }
}

/** The name of a gRPC status anywhere in the chain of causes. */
function codeOf(failure: unknown): string {
  if (failure === undefined) return 'OK';
  for (let one: unknown = failure; one instanceof Error; one = one.cause) {
    if (one instanceof GrpcError) return grpcCodeName(one);
  }
  return 'unknown-non-grpc';
}
