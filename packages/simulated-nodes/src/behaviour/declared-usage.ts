/** What a container is known to use: its pod's annotations say it, or the arguments of the program `stress`. */
import { canonicalQuantity, parseQuantity, quantityMilliValue } from '@coxswain/apimachinery/quantity.ts';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { annotation } from './annotations.ts';
import { mainCommand } from './images.ts';

/** Quantities by resource. */
export type Usage = Readonly<Record<string, string>>;

export const declaredUsage = (pod: Pod, container: Container): Usage => ({
  ...usageIn(annotation(pod, 'usage')),
  ...usageIn(annotation(pod, `usage.${container.name}`)),
});

/** `cpu=250m,memory=64Mi`. Invalid quantities are ignored. */
export function usageIn(text: string | undefined): Usage {
  const pairs = (text ?? '').split(',').map((pair) => pair.split('=', 2));
  const read: Record<string, string> = {};
  for (const [resource = '', value = ''] of pairs) {
    try {
      if (value !== '') read[resource.trim()] = canonicalQuantity(value.trim());
    } catch {
      continue;
    }
  }
  return read;
}

const stressFlags: Readonly<Record<string, string>> = {
  '-c': 'cpu',
  '--cpu': 'cpu',
  '-cpus': 'cpu',
  '--vm-bytes': 'memory',
  '-mem-total': 'memory',
};

/** Its CPU is throttled to the limit. */
export function stressUsage(container: Container): Usage {
  const [path = '', ...args] = [
    ...(container.command ?? mainCommand({ ...container, args: [] })),
    ...(container.args ?? []),
  ];
  if (path.slice(path.lastIndexOf('/') + 1) !== 'stress') return {};
  const words = args.flatMap((arg) => arg.split('=', 2));
  const flags = words.flatMap((word, at) =>
    Object.hasOwn(stressFlags, word) ? [`${stressFlags[word]}=${words[at + 1]}`] : [],
  );
  const usage = usageIn(flags.join(','));
  const { cpu } = container.resources?.limits ?? {};
  return usage['cpu'] !== undefined && cpu !== undefined && isLess(cpu, usage['cpu'])
    ? { ...usage, cpu }
    : usage;
}

/** Whether it needs more memory than its limit. */
export function exceedsMemory(pod: Pod, container: Container): boolean {
  const { memory: limit } = container.resources?.limits ?? {};
  const { memory } = { ...stressUsage(container), ...declaredUsage(pod, container) };
  return limit !== undefined && memory !== undefined && isLess(limit, memory);
}

const isLess = (a: string, b: string): boolean =>
  quantityMilliValue(parseQuantity(a)) < quantityMilliValue(parseQuantity(b));
