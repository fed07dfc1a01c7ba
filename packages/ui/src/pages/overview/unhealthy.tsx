import { latestWarning, type ReportedEvent } from '../../cluster/event.ts';
import { ElidedName } from '../../controls/elided-name.tsx';
import { Badge } from '../../controls/tone.tsx';
import { Icon } from '../../design/icon.tsx';
import { isUnwell, type Health } from '../../health/health.ts';
import { lostReason } from '../../health/pod-health.ts';
import { inLanguages } from '../../language/language.ts';
import { objectPath } from '../../navigation/paths.ts';
import type { MapNode } from './nodes.ts';
import type { MapPod } from './pods.ts';
import type { KindOfWorkloads } from './workloads.ts';

const text = inLanguages(
  {
    title: 'Unhealthy',
    none: 'Everything is healthy',
    more: (count: number) => `and ${count} more`,
    noReason: 'No reason reported yet.',
    pods: (count: number) => `${count} pods`,
  },
  {
    title: '异常',
    none: '一切正常',
    more: (count: number) => `另有 ${count} 项`,
    noReason: '尚未给出原因。',
    pods: (count: number) => `${count} 个 Pod`,
  },
);

const shownMax = 12;

interface Unwell {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly health: Health;
  /** How many pods of the same group are in the same state, of which this is the first. */
  count: number;
}

interface UnhealthyProps {
  readonly pods: ReadonlyMap<string, MapPod>;
  readonly nodes: ReadonlyMap<string, MapNode>;
  readonly workloads: readonly KindOfWorkloads[];
  readonly events: ReadonlyMap<string, ReportedEvent>;
}

export function Unhealthy(props: UnhealthyProps) {
  const all = unwellOf(props);
  return (
    <section class="panel" aria-labelledby="unhealthy-title">
      <div class="panel-head">
        <h2 id="unhealthy-title">{text().title}</h2>
        {all.length > 0 && <span class="panel-note">{countOf(all)}</span>}
      </div>
      {all.length === 0 && (
        <p class="all-well">
          <Icon name="check" />
          {text().none}
        </p>
      )}
      <ul class="entries">
        {all.slice(0, shownMax).map(({ path, kind, name, namespace, health, count }) => (
          <li key={path}>
            <a href={path}>
              <span class="entry-name truncated">
                <ElidedName name={name} />
              </span>
              <span class="entry-head">
                <span class="entry-note truncated">
                  {[count === 1 ? kind : text().pods(count), namespace].filter(Boolean).join(' · ')}
                </span>
                <Badge tone={health.tone}>{health.state}</Badge>
              </span>
              <span class="entry-reason">
                {health.reason || warningOf(props.events, { kind, name, namespace }) || text().noReason}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {all.length > shownMax && <p class="entries-more">{text().more(countOf(all.slice(shownMax)))}</p>}
    </section>
  );
}

function warningOf(
  events: UnhealthyProps['events'],
  { kind, name, namespace }: Pick<Unwell, 'kind' | 'name' | 'namespace'>,
): string {
  const own = [...events.values()].filter(
    ({ about }) => about.kind === kind && about.name === name && about.namespace === namespace,
  );
  return latestWarning(own);
}

const countOf = (all: readonly Unwell[]): number => all.reduce((sum, { count }) => sum + count, 0);

/** A pod of a lost node that gives no reason of its own, such as one that was to start there. */
const ofLostNode = (pod: MapPod): MapPod =>
  pod.health.reason === '' && isUnwell(pod.health)
    ? { ...pod, group: pod.node, health: { ...pod.health, reason: lostReason(pod.node) } }
    : pod;

/** Nodes before pods before the objects that depend on pods, and the worst first. */
function unwellOf({ pods, nodes, workloads }: UnhealthyProps): readonly Unwell[] {
  const found: Unwell[] = [];
  const paths = new Set<string>();
  /** By group and state. */
  const firstPods = new Map<string, Unwell>();
  const add = (
    resource: { group: string; version: string; resource: string },
    kind: string,
    {
      metadata: { namespace, name = '' },
      health,
    }: MapPod | MapNode | { metadata: MapPod['metadata']; health: Health },
  ) => {
    if (!isUnwell(health)) return undefined;
    const path = objectPath(resource, namespace, name);
    // A Service has a slice for each family of addresses.
    if (paths.has(path)) return undefined;
    paths.add(path);
    const unwell = { path, kind, name, namespace, health, count: 1 };
    found.push(unwell);
    return unwell;
  };
  for (const node of nodes.values()) add({ group: '', version: 'v1', resource: 'nodes' }, 'Node', node);
  const lost = new Set(
    [...nodes.values()]
      .filter(({ health }) => health.state === 'NotReady')
      .map(({ metadata }) => metadata.name),
  );
  for (const each of pods.values()) {
    const pod = lost.has(each.node) ? ofLostNode(each) : each;
    const key = `${pod.group} ${pod.health.state}`;
    const first = pod.group === undefined ? undefined : firstPods.get(key);
    if (first !== undefined) first.count++;
    else {
      const unwell = add({ group: '', version: 'v1', resource: 'pods' }, 'Pod', pod);
      if (unwell !== undefined) firstPods.set(key, unwell);
    }
  }
  for (const { resource, state } of workloads)
    for (const workload of state.objects.values()) add(resource, resource.kind, workload);
  return found.toSorted(
    (one, other) => Number(other.health.tone === 'bad') - Number(one.health.tone === 'bad'),
  );
}
