/** Parses the eviction thresholds in the kubelet's settings. */
import {
  formatQuantity,
  parseDurationMs,
  parseQuantity,
  quantityOf,
  quantityValue,
} from '@coxswain/apimachinery';
import type { KubeletSettings } from '../config/kubelet-configuration.ts';
import { isSignal, signals, type Observation, type Signal } from './signals.ts';

/** An absolute amount, or a fraction of the capacity. */
export type ThresholdValue =
  | { readonly kind: 'quantity'; readonly amount: number; readonly text: string }
  | { readonly kind: 'part'; readonly part: number };

export interface Threshold {
  readonly signal: Signal;
  readonly value: ThresholdValue;
  /** How long it must be crossed before pods are evicted; 0 for a hard threshold. */
  readonly graceMs: number;
  /** How much more than the threshold must be available before eviction stops. */
  readonly reclaim: ThresholdValue | undefined;
}

export const isHard = ({ graceMs }: Threshold): boolean => graceMs === 0;

export type ThresholdSettings = Pick<
  KubeletSettings,
  'evictionSoft' | 'evictionSoftGracePeriod' | 'evictionMinimumReclaim' | 'enforceNodeAllocatable'
>;

/** @throws Error for unknown signals and invalid values */
export function thresholdsOf(
  settings: ThresholdSettings,
  hard: Readonly<Record<string, string>>,
): readonly Threshold[] {
  const reclaims = entriesOf(settings.evictionMinimumReclaim).map(
    ([signal, text]) => [signal, reclaimValue(signal, text)] as const,
  );
  const reclaimOf = new Map(reclaims);
  const graces = new Map(
    entriesOf(settings.evictionSoftGracePeriod).map(
      ([signal, text]) => [signal, gracePeriodMs(text)] as const,
    ),
  );
  const soft = entriesOf(settings.evictionSoft).flatMap(([signal, text]) => {
    const graceMs = graces.get(signal);
    if (graceMs === undefined)
      throw new Error(`grace period must be specified for the soft eviction threshold ${signal}`);
    return thresholdOf(signal, text, graceMs, reclaimOf.get(signal));
  });
  const found = [
    ...entriesOf(hard).flatMap(([signal, text]) => thresholdOf(signal, text, 0, reclaimOf.get(signal))),
    ...soft,
  ];
  return settings.enforceNodeAllocatable.includes('pods') ? [...found, ...forAllPods(found)] : found;
}

/** The memory threshold of the node also applies to the memory of all pods together. */
const forAllPods = (thresholds: readonly Threshold[]): readonly Threshold[] =>
  thresholds
    .filter((threshold) => threshold.signal === 'memory.available' && isHard(threshold))
    .map((threshold) => ({ ...threshold, signal: 'allocatableMemory.available' }));

/** Where containers write: on the image file system, if it differs from the node's. */
export type DiskLayout = 'one' | 'images-apart' | 'images-and-containers-apart';

/** Derives the thresholds for containers from the file system on which they write, ignoring configured ones. */
export function withContainerThresholds(
  thresholds: readonly Threshold[],
  layout: DiskLayout,
): readonly Threshold[] {
  const others = thresholds.filter(({ signal }) => !signal.startsWith('containerfs.'));
  const prefix = layout === 'images-apart' ? 'imagefs.' : 'nodefs.';
  const copies = others
    .filter(({ signal }) => signal.startsWith(prefix))
    .map((threshold) => ({
      ...threshold,
      signal: threshold.signal.replace(prefix, 'containerfs.') as Signal,
    }));
  return [...others, ...copies];
}

export const amountOf = (value: ThresholdValue, { capacity }: Observation): number =>
  value.kind === 'quantity' ? value.amount : Math.trunc(capacity * value.part);

/** As written, or a fraction converted to bytes. */
export const amountText = (value: ThresholdValue, observed: Observation): string =>
  value.kind === 'quantity' ? value.text : bytesText(amountOf(value, observed));

export const bytesText = (amount: number): string => formatQuantity(quantityOf(amount, 'BinarySI'));

/** For amounts that are not in bytes. */
const countText = (amount: number): string => formatQuantity(quantityOf(amount, 'DecimalSI'));

export const availableText = (signal: Signal, { available }: Observation): string =>
  signals[signal].resource === 'inodes' || signals[signal].resource === 'pids'
    ? countText(available)
    : bytesText(available);

function thresholdOf(
  signal: Signal,
  text: string,
  graceMs: number,
  reclaim: ThresholdValue | undefined,
): readonly Threshold[] {
  // 0% or 100% disables the threshold.
  if (text === '0%' || text === '100%') return [];
  if (text.endsWith('%')) {
    const part = partOf(text);
    if (part < 0) throw new Error(`eviction percentage threshold ${signal} must be >= 0%: ${text}`);
    if (part > 1) throw new Error(`eviction percentage threshold ${signal} must be <= 100%: ${text}`);
    return [{ signal, value: { kind: 'part', part }, graceMs, reclaim }];
  }
  const value = quantityValueOf(text);
  if (value.amount <= 0) throw new Error(`eviction threshold ${signal} must be positive: ${value.text}`);
  return [{ signal, value, graceMs, reclaim }];
}

function reclaimValue(signal: Signal, text: string): ThresholdValue {
  if (text.endsWith('%')) {
    const part = partOf(text);
    if (part <= 0) throw new Error(`eviction percentage minimum reclaim ${signal} must be positive: ${text}`);
    return { kind: 'part', part };
  }
  const value = quantityValueOf(text);
  if (value.amount < 0) throw new Error(`negative eviction minimum reclaim specified for ${signal}`);
  return value;
}

function quantityValueOf(text: string) {
  const quantity = parseQuantity(text);
  return { kind: 'quantity', amount: quantityValue(quantity), text: formatQuantity(quantity) } as const;
}

/** Upstream computes fractions with 32-bit floats; doing the same yields the same number of bytes. */
function partOf(text: string): number {
  const number = Number(text.slice(0, -1));
  if (!Number.isFinite(number) || text === '%')
    throw new Error(`strconv.ParseFloat: parsing "${text.slice(0, -1)}": invalid syntax`);
  return Math.fround(Math.fround(number) / 100);
}

function gracePeriodMs(text: string): number {
  const ms = parseDurationMs(text);
  if (ms < 0) throw new Error(`invalid eviction grace period specified: ${text}, must be a positive value`);
  return ms;
}

const entriesOf = (statements: Readonly<Record<string, string>>): readonly (readonly [Signal, string])[] =>
  Object.entries(statements).map(([name, text]) => {
    if (!isSignal(name)) throw new Error(`unsupported eviction signal ${name}`);
    return [name, text] as const;
  });
