import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Service as ServiceObject } from '@coxswain/api/core/v1/service.ts';
import { useMemo } from 'preact/hooks';
import { client } from '../../../cluster/cluster.ts';
import { objectSource } from '../../../cluster/object-source.ts';
import { useLive } from '../../../cluster/use-live.ts';
import { Dot } from '../../../controls/tone.tsx';
import { inLanguages } from '../../../language/language.ts';
import { serviceState, type ServicePod } from './service-state.ts';

const text = inLanguages(
  {
    title: 'Service',
    type: 'Type',
    address: 'Cluster IP',
    headless: 'None: its name resolves to the addresses of its pods',
    ports: 'Ports',
    selector: 'Selector',
  },
  {
    title: '服务',
    type: '类型',
    address: '集群 IP',
    headless: '无：名称直接解析为各 Pod 的地址',
    ports: '端口',
    selector: '选择器',
  },
);

/** What a Service forwards to, and whether there is anything to forward to. */
export function Service({ object }: { readonly object: KubeObject }) {
  const { spec } = object as Live<ServiceObject>;
  const { namespace = '' } = object.metadata;
  const pods = useMemo(
    () => ({
      key: `pods for services of ${namespace}`,
      source: objectSource(client.resource<Live<Pod>>('v1', 'pods').namespace(namespace), {}, servicePod),
    }),
    [namespace],
  );
  const { phase, objects } = useLive(pods);
  const state =
    phase === 'live' ? serviceState(object as Live<ServiceObject>, [...objects.values()]) : undefined;
  const selector = Object.entries(spec?.selector ?? {});
  return (
    <section class="panel" aria-labelledby="service-title">
      <div class="panel-head">
        <h2 id="service-title">{text().title}</h2>
      </div>
      {state !== undefined && (
        <p class="service-state" role="status">
          <Dot tone={state.tone} />
          <span>
            <strong>{state.text}</strong>
            {state.hint !== undefined && <span class="pod-reason">{state.hint}</span>}
          </span>
        </p>
      )}
      <dl class="facts">
        <dt>{text().type}</dt>
        <dd>{spec?.type ?? 'ClusterIP'}</dd>
        {spec?.clusterIP !== undefined && spec.clusterIP !== '' && (
          <>
            <dt>{text().address}</dt>
            <dd>{spec.clusterIP === 'None' ? text().headless : <code>{spec.clusterIP}</code>}</dd>
          </>
        )}
        {(spec?.ports ?? []).length > 0 && (
          <>
            <dt>{text().ports}</dt>
            <dd>
              {spec!.ports!.map(({ name, port, protocol, targetPort, nodePort }) => (
                <div key={`${port}/${protocol}`}>
                  <code>
                    {[name, `${port}/${protocol ?? 'TCP'} → ${targetPort ?? port}`].filter(Boolean).join(' ')}
                    {nodePort ? ` · nodePort ${nodePort}` : ''}
                  </code>
                </div>
              ))}
            </dd>
          </>
        )}
        {selector.length > 0 && (
          <>
            <dt>{text().selector}</dt>
            <dd>
              <code>{selector.map(([key, value]) => `${key}=${value}`).join(',')}</code>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** Pods that have ended or are being deleted are no endpoints. */
function servicePod({ metadata, spec, status }: Live<Pod>): ServicePod {
  const { uid, namespace, name, labels, resourceVersion } = metadata;
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return {
    metadata: {
      uid,
      namespace,
      name,
      resourceVersion,
      ...(!hasEnded && { labels }),
    } as KubeObject['metadata'],
    isReady:
      metadata.deletionTimestamp === undefined &&
      (status?.conditions ?? []).some(
        (condition) => condition.type === 'Ready' && condition.status === 'True',
      ),
    ports: [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].flatMap(({ ports = [] }) =>
      ports.map(({ name, containerPort }) => ({ ...(name !== undefined && { name }), containerPort })),
    ),
  };
}
