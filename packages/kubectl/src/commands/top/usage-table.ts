/** The columns of `top`: usage by resource, and its percentage. */
import { parseQuantity, scaledValue } from '@coxswain/apimachinery/quantity.ts';
import { alignTabs } from '../../printers/tab-writer.ts';
import type { ContainerMetrics, PodMetrics, Usage } from './metrics-api.ts';

export type Resource = 'cpu' | 'memory' | 'swap';
/** In billionths, so that sums are exact. */
export type Amounts = Readonly<Partial<Record<Resource, bigint>>>;
export type SortBy = '' | 'cpu' | 'memory';

const nanoScale = -9;
const nanosInUnit = 1_000_000_000n;
const nanosInThousandth = 1_000_000n;
const mebibyte = 1024n * 1024n;
const unknown = '<unknown>';

export const measuredResources = (showSwap: boolean): readonly Resource[] =>
  showSwap ? ['cpu', 'memory', 'swap'] : ['cpu', 'memory'];

const headings: Readonly<Record<Resource, readonly [usage: string, share: string]>> = {
  cpu: ['CPU(cores)', 'CPU(%)'],
  memory: ['MEMORY(bytes)', 'MEMORY(%)'],
  swap: ['SWAP(bytes)', 'SWAP(%)'],
};

export const headingsOf = (resources: readonly Resource[], withShares: boolean): readonly string[] =>
  resources.flatMap((resource) => (withShares ? headings[resource] : [headings[resource][0]]));

const amountOf = (quantity: string | undefined): bigint =>
  scaledValue(parseQuantity(quantity ?? '0'), nanoScale);

export function amountsOf(resources: readonly Resource[], usages: readonly (Usage | undefined)[]): Amounts {
  const sum = (resource: Resource): bigint =>
    usages.reduce((total, usage) => total + amountOf(usage?.[resource]), 0n);
  return Object.fromEntries(resources.map((resource) => [resource, sum(resource)]));
}

export const wholeAmount = (units: number): bigint => BigInt(units) * nanosInUnit;

export const podAmounts = (resources: readonly Resource[], { containers = [] }: PodMetrics): Amounts =>
  amountsOf(
    resources,
    containers.map(({ usage }) => usage),
  );

/** CPU in thousandths of a core, memory in whole mebibytes. */
export const usageText = (resource: Resource, amount = 0n): string =>
  resource === 'cpu'
    ? `${roundedUp(amount, nanosInThousandth)}m`
    : `${roundedUp(amount, nanosInUnit) / mebibyte}Mi`;

const roundedUp = (amount: bigint, unit: bigint): bigint => amount / unit + (amount % unit > 0n ? 1n : 0n);

function shareText(amount: bigint, whole: bigint): string {
  if (whole === 0n) return '0%';
  const [part, all] = [roundedUp(amount, nanosInThousandth), roundedUp(whole, nanosInThousandth)];
  return `${Math.trunc((Number(part) / Number(all)) * 100)}%`;
}

/** Usage and percentage of each resource; a node without swap omits it. */
export function shareCells(
  resources: readonly Resource[],
  usage: Amounts,
  available: Amounts | undefined,
  missing: ReadonlySet<Resource>,
): readonly string[] {
  return resources.flatMap((resource) => {
    if (missing.has(resource)) return [unknown, unknown];
    const amount = usage[resource] ?? 0n;
    const whole = available?.[resource];
    if (whole === undefined) return [usageText(resource, amount)];
    return [usageText(resource, amount), shareText(amount, whole)];
  });
}

export const unknownCells = (resources: readonly Resource[]): readonly string[] =>
  resources.flatMap(() => [unknown, unknown]);

/** Sorted by usage, largest first, or by name. */
export function sorted<T extends PodMetrics | ContainerMetrics>(
  items: readonly T[],
  sortBy: SortBy,
  amounts: (item: T) => Amounts,
  nameOf: (item: T) => string,
): readonly T[] {
  if (sortBy === '') return [...items].sort((a, b) => compare(nameOf(a), nameOf(b)));
  const keyed = items.map((item) => ({ item, amount: amounts(item)[sortBy] ?? 0n }));
  return keyed.sort((a, b) => compare(b.amount, a.amount)).map(({ item }) => item);
}

const compare = <T extends string | bigint>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** As upstream, every cell ends with a tab, so lines end with spaces. Columns never become narrower. */
export const tableText = (rows: readonly (readonly string[])[]): string =>
  alignTabs(rows.map((row) => `${row.map((cell) => `${cell}\t`).join('')}\n`).join(''), {
    remember: [],
  });
