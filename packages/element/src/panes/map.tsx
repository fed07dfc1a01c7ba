/** Nodes, and the pods on them. */

import type { KubeObject } from 'coxswain/browser';
import { phaseOf, type PodLike } from '../pod-phase.ts';
import type { Session } from '../session.ts';

interface NodeLike extends KubeObject {
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

export function MapPane({ session }: { readonly session: Session }) {
  const { Node: nodes = new Map(), Pod: pods = new Map() } = session.objects.value;
  const all = [...pods.values()] as PodLike[];
  const waiting = all.filter(({ spec }) => spec?.nodeName === undefined);
  return (
    <div class="map">
      {([...nodes.values()] as NodeLike[]).map((node) => {
        const name = node.metadata.name ?? '';
        const isReady = node.status?.conditions?.some(
          ({ type, status }) => type === 'Ready' && status === 'True',
        );
        const state = !isReady ? 'not ready' : node.spec?.unschedulable ? 'cordoned' : 'ready';
        return (
          <section key={name} class={`node ${state.replace(' ', '-')}`} aria-label={`Node ${name}, ${state}`}>
            <h3>
              {name} <small>{state}</small>
            </h3>
            <Pods pods={all.filter(({ spec }) => spec?.nodeName === name)} />
          </section>
        );
      })}
      {waiting.length > 0 && (
        <section class="node waiting" aria-label="Pods without a node">
          <h3>
            not scheduled <small>{waiting.length}</small>
          </h3>
          <Pods pods={waiting} />
        </section>
      )}
      <p class="legend">
        {['Running', 'Pending', 'Succeeded', 'Failed'].map((phase) => (
          <span key={phase}>
            <i class={`dot ${phase.toLowerCase()}`} aria-hidden="true" /> {phase}
          </span>
        ))}
      </p>
    </div>
  );
}

function Pods({ pods }: { readonly pods: readonly PodLike[] }) {
  if (pods.length === 0) return <p class="nothing">no pods</p>;
  return (
    <ul class="pods">
      {pods.map((pod) => {
        const { look, words } = phaseOf(pod);
        const { namespace = '', name = '' } = pod.metadata;
        return (
          <li key={`${namespace}/${name}`} class={`pod ${look}`} title={`${namespace}/${name}: ${words}`}>
            <i class={`dot ${look}`} aria-hidden="true" />
            <span class="pod-name">{name}</span>
            <small>{words}</small>
          </li>
        );
      })}
    </ul>
  );
}
