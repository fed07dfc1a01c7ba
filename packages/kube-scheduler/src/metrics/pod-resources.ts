/** `/metrics/resources`: the requests and limits of each pod as computed by the scheduler. */
import { Metrics, type Sample } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { podLimits, requestsOfSpec, type ResourceAmounts } from '../cache/resources.ts';

/** @param pods returns the current pods; called on each scrape */
export function podResourceMetrics(pods: () => readonly Pod[]): Metrics {
  const metrics = new Metrics({ describesItself: false });
  const report = (name: string, help: string, amountsOf: (pod: Pod) => ResourceAmounts) =>
    metrics.samples('gauge', name, help, () => samplesOf(pods(), amountsOf));
  report('kube_pod_resource_request', 'What pods ask for.', requestsOfSpec);
  report('kube_pod_resource_limit', 'What pods may take.', podLimits);
  return metrics;
}

function* samplesOf(pods: readonly Pod[], amountsOf: (pod: Pod) => ResourceAmounts): Generator<Sample> {
  for (const pod of pods) {
    if (pod.spec?.nodeName && hasEnded(pod)) continue;
    const { milliCpu, memoryBytes, ephemeralStorageBytes, scalars } = amountsOf(pod);
    const amounts: readonly (readonly [string, string, number])[] = [
      ['cpu', 'cores', milliCpu / 1000],
      ['memory', 'bytes', memoryBytes],
      ['ephemeral-storage', 'bytes', ephemeralStorageBytes],
      ...[...scalars].map(([name, amount]) => [name, unitOf(name), amount] as const),
    ];
    for (const [resource, unit, value] of amounts)
      if (value !== 0) yield { labels: { ...labelsOf(pod), resource, unit }, value };
  }
}

const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

const labelsOf = ({ metadata, spec }: Pod) => ({
  namespace: metadata?.namespace ?? '',
  pod: metadata?.name ?? '',
  node: spec?.nodeName ?? '',
  scheduler: spec?.schedulerName ?? '',
  priority: spec?.priority === undefined || spec.priority === null ? '' : String(spec.priority),
});

function unitOf(name: string): string {
  if (name.startsWith('hugepages-')) return 'bytes';
  return name.startsWith('attachable-volumes-') ? 'integer' : '';
}
