/** The objects in the cluster by kind, each with its YAML. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { useSignal } from '@preact/signals';
import type { KubeObject } from 'coxswain/browser';
import { timeSince } from '@coxswain/apimachinery/human-duration.ts';
import { followedKinds } from '../followed.ts';
import { phaseOf, type PodLike } from '../pod-phase.ts';
import type { Session } from '../session.ts';
import type { Words } from '../words.ts';

/** System objects, which the reader did not create. */
const isOwn = ({ metadata }: KubeObject): boolean =>
  !/^kube-|^coxswain-/.test(metadata.namespace ?? '') && metadata.name !== 'kube-root-ca.crt';

interface ObjectsOptions {
  readonly session: Session;
  readonly words: Words;
}

export function ObjectsPane({ session, words }: ObjectsOptions) {
  const opened = useSignal<{ readonly title: string; readonly text: string } | undefined>(undefined);
  const open = async (resource: string, { metadata }: KubeObject) => {
    const namespace = metadata.namespace === undefined ? [] : ['-n', metadata.namespace];
    const { stdout } = await session.run(['get', resource, metadata.name ?? '', ...namespace, '-o', 'yaml']);
    opened.value = { title: `${resource}/${metadata.name}`, text: stdout };
  };
  if (opened.value !== undefined)
    return (
      <div class="opened">
        <p>
          <button type="button" onClick={() => (opened.value = undefined)}>
            {words.allObjects}
          </button>
          <code>{opened.value.title}</code>
        </p>
        <pre tabIndex={0}>{opened.value.text}</pre>
      </div>
    );
  const rows = followedKinds
    .filter(({ kind }) => kind !== 'Event')
    .flatMap(({ kind, resource }) =>
      [...(session.objects.value[kind]?.values() ?? [])]
        .filter(isOwn)
        .map((object) => ({ kind, resource, object })),
    );
  return (
    <table>
      <thead>
        <tr>
          {words.columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ kind, resource, object }) => (
          <tr key={`${kind}/${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`}>
            <td class="kind">{kind}</td>
            <td>
              <button type="button" class="link" onClick={() => detach(open(resource, object))}>
                {object.metadata.name}
              </button>
            </td>
            <td>{statusOf(kind, object)}</td>
            <td>{timeSince(object.metadata.creationTimestamp, session.nowMs.value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Workload extends KubeObject {
  readonly spec?: { readonly replicas?: number; readonly type?: string; readonly completions?: number };
  readonly status?: {
    readonly phase?: string;
    readonly readyReplicas?: number;
    readonly succeeded?: number;
    readonly numberReady?: number;
    readonly desiredNumberScheduled?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

function statusOf(kind: string, object: KubeObject): string {
  const { spec, status } = object as Workload;
  switch (kind) {
    case 'Pod':
      return phaseOf(object as PodLike).words;
    case 'Deployment':
    case 'StatefulSet':
    case 'ReplicaSet':
      return `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 1} ready`;
    case 'DaemonSet':
      return `${status?.numberReady ?? 0}/${status?.desiredNumberScheduled ?? 0} ready`;
    case 'Job':
      return `${status?.succeeded ?? 0}/${spec?.completions ?? 1} done`;
    case 'Node':
      return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True')
        ? 'Ready'
        : 'NotReady';
    default:
      return status?.phase ?? spec?.type ?? '';
  }
}
