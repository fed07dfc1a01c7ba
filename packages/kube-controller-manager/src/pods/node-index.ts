/** The index of pods by their node. */

import type { Pod } from '../objects.ts';

export const nodeIndex = 'nodeName';

const unbound: readonly string[] = [];

export const podsByNode = (pod: Pod): readonly string[] =>
  pod.spec?.nodeName ? [pod.spec.nodeName] : unbound;
