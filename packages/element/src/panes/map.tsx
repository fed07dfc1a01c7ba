/** Nodes, and the pods on them. */

import type { KubeObject } from 'coxswain/browser';
import { phaseOf, type PodLike } from '../pod-phase.ts';
import type { Session } from '../session.ts';
import type { Words } from '../words.ts';

interface NodeLike extends KubeObject {
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

interface MapOptions {
  readonly session: Session;
  readonly words: Words;
}

export function MapPane({ session, words }: MapOptions) {
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
        const state = !isReady ? 'notReady' : node.spec?.unschedulable ? 'cordoned' : 'ready';
        return (
          <section key={name} class={`node ${state}`} aria-label={words.node(name, words[state])}>
            <p class="title">
              {name} <small>{words[state]}</small>
            </p>
            <Pods pods={all.filter(({ spec }) => spec?.nodeName === name)} words={words} />
          </section>
        );
      })}
      {waiting.length > 0 && (
        <section class="node waiting" aria-label={words.podsWithoutNode}>
          <p class="title">
            {words.notScheduled} <small>{waiting.length}</small>
          </p>
          <Pods pods={waiting} words={words} />
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

function Pods({ pods, words }: { readonly pods: readonly PodLike[]; readonly words: Words }) {
  if (pods.length === 0) return <p class="nothing">{words.noPods}</p>;
  return (
    <ul class="pods">
      {pods.map((pod) => {
        const { look, words: phase } = phaseOf(pod);
        const { namespace = '', name = '' } = pod.metadata;
        return (
          <li key={`${namespace}/${name}`} class={`pod ${look}`} title={`${namespace}/${name}: ${phase}`}>
            <i class={`dot ${look}`} aria-hidden="true" />
            <span class="pod-name">{name}</span>
            <small>{phase}</small>
          </li>
        );
      })}
    </ul>
  );
}
