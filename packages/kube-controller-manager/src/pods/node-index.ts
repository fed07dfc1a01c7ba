/** The index of pods by the node that they are bound to. */

import type { Pod } from '../objects.ts';

export const nodeIndex = 'nodeName';

const unbound: readonly string[] = [];

export const podsByNode = (pod: Pod): readonly string[] =>
  pod.spec?.nodeName ? [pod.spec.nodeName] : unbound;
