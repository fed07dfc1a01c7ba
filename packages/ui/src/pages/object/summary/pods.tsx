import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource, ResourceClient } from '@coxswain/client';
import { useMemo } from 'preact/hooks';
import { resourceIn } from '../../../cluster/cluster.ts';
import { objectSource } from '../../../cluster/object-source.ts';
import { useLive } from '../../../cluster/use-live.ts';
import { Ago } from '../../../controls/ago.tsx';
import { Loading } from '../../../controls/notice.tsx';
import { Badge, type Tone } from '../../../controls/tone.tsx';
import { inLanguages } from '../../../language/language.ts';
import { explorerPath, objectPath } from '../../../navigation/paths.ts';
import { mapPod, type MapPod } from '../../overview/pods.ts';
import { isService, podQueryOf } from '../pod-selector.ts';

const text = inLanguages(
  {
    title: 'Pods',
    none: 'No pod yet',
    all: (count: number) => `All ${count}`,
    restarts: (count: number) => (count === 1 ? '1 restart' : `${count} restarts`),
    noNode: 'no node',
  },
  {
    title: 'Pod',
    none: '尚无 Pod',
    all: (count: number) => `全部 ${count} 个`,
    restarts: (count: number) => `重启 ${count} 次`,
    noNode: '未分配节点',
  },
);

const pods = { group: '', version: 'v1', resource: 'pods' };

const shownMax = 12;

const order: readonly Tone[] = ['bad', 'warn', 'info', 'ok', 'idle'];

interface PodsProps {
  readonly kind: ApiResource;
  readonly object: KubeObject;
}

/** The pods of an object, unhealthy ones first, since they explain its state. */
export function Pods({ kind, object }: PodsProps) {
  const asked = podQueryOf(kind, object);
  const key = asked === undefined ? '' : `pods ${Object.values(asked).join(' ')}`;
  const spec = useMemo(
    () =>
      asked === undefined ? undefined : { key, source: objectSource(podsIn(asked.namespace), asked, mapPod) },
    [key],
  );
  const state = useLive(spec);
  if (state === undefined || state.phase === 'failed') return null;
  const sorted = [...state.objects.values()].toSorted(unwellFirst);
  // The state of the service says so, and why.
  if (sorted.length === 0 && isService(kind)) return null;
  const isLoading = state.phase === 'loading';
  const query = new URLSearchParams(
    Object.entries({
      namespace: asked?.namespace,
      labels: asked?.labelSelector,
      fields: asked?.fieldSelector,
    }).filter((member): member is [string, string] => Boolean(member[1])),
  );
  return (
    <section class="panel" aria-labelledby="pods-title">
      <div class="panel-head">
        <h2 id="pods-title">{text().title}</h2>
        {!isLoading && <span class="panel-note">{sorted.length}</span>}
      </div>
      {sorted.length === 0 && (isLoading ? <Loading lines={2} /> : <p class="all-well">{text().none}</p>)}
      <ul class="conditions">
        {sorted.slice(0, shownMax).map((pod) => (
          <PodLine key={pod.metadata.uid} pod={pod} />
        ))}
      </ul>
      {sorted.length > shownMax && (
        <p class="entries-more">
          <a class="link" href={`${explorerPath(pods)}?${query.toString()}`}>
            {text().all(sorted.length)}
          </a>
        </p>
      )}
    </section>
  );
}

const podsIn = (namespace: string | undefined): ResourceClient<Parameters<typeof mapPod>[0]> =>
  resourceIn(pods, namespace) as ResourceClient<Parameters<typeof mapPod>[0]>;

function PodLine({ pod: { metadata, health, node, restarts } }: { readonly pod: MapPod }) {
  const { namespace, name = '' } = metadata;
  return (
    <li>
      <Badge tone={health.tone}>{health.state}</Badge>
      <span class="condition-why">
        <a class="link" href={objectPath(pods, namespace, name)}>
          {name}
        </a>{' '}
        <span class="panel-note">
          {[node || text().noNode, restarts > 0 && text().restarts(restarts)].filter(Boolean).join(' · ')}
        </span>
        {health.reason !== '' && <span class="pod-reason">{health.reason}</span>}
      </span>
      <span class="condition-since">
        <Ago time={metadata.creationTimestamp} />
      </span>
    </li>
  );
}

const unwellFirst = (one: MapPod, other: MapPod): number =>
  order.indexOf(one.health.tone) - order.indexOf(other.health.tone) ||
  (one.metadata.name ?? '').localeCompare(other.metadata.name ?? '');
