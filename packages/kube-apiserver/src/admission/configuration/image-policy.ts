/** The configuration of ImagePolicyWebhook. */
import { formatDuration } from '@coxswain/apimachinery/duration.ts';
import { readYaml } from '@coxswain/apimachinery';

export interface ImagePolicySettings {
  readonly kubeConfigFile: string;
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
  readonly retryBackOffMs: number;
  /** The decision while the service is unreachable. */
  readonly defaultAllow: boolean;
}

interface Stated {
  readonly kubeConfigFile?: string;
  /** In seconds. 0: the default; -1: answers are not cached. */
  readonly allowTTL?: number;
  readonly denyTTL?: number;
  /** In milliseconds. */
  readonly retryBackoff?: number;
  readonly defaultAllow?: boolean;
}

interface Bounds {
  readonly unitMs: number;
  readonly leastMs: number;
  readonly mostMs: number;
  readonly defaultMs: number;
}

const minuteMs = 60_000;
const keeping = { unitMs: 1000, leastMs: 1000, mostMs: 30 * minuteMs };
const nanosecondMs = 1e-6;

/** @throws Error with upstream's message */
export function readImagePolicy(text: string | undefined): ImagePolicySettings {
  if (text === undefined) throw new Error('no config specified');
  const { imagePolicy: stated = {} } = (readYaml(text) ?? {}) as { readonly imagePolicy?: Stated };
  const retryBackOffMs = bounded(stated.retryBackoff, {
    unitMs: 1,
    leastMs: nanosecondMs,
    mostMs: 5 * minuteMs,
    defaultMs: 500,
  });
  return {
    kubeConfigFile: stated.kubeConfigFile ?? '',
    retryBackOffMs,
    allowTtlMs: bounded(stated.allowTTL, { ...keeping, defaultMs: 5 * minuteMs }),
    denyTtlMs: bounded(stated.denyTTL, { ...keeping, defaultMs: minuteMs / 2 }),
    defaultAllow: stated.defaultAllow ?? false,
  };
}

function bounded(value = 0, { unitMs, leastMs, mostMs, defaultMs }: Bounds): number {
  if (value === -1) return 0;
  if (value === 0) return defaultMs;
  const wantedMs = value * unitMs;
  if (wantedMs >= leastMs && wantedMs <= mostMs) return wantedMs;
  const shown = (ms: number) => formatDuration(BigInt(Math.round(ms * 1e6)));
  throw new Error(`valid value is between ${shown(leastMs)} and ${shown(mostMs)}, got ${shown(wantedMs)}`);
}
