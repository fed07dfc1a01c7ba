/** A pod's state as a word and a colour. */

import type { KubeObject } from 'coxswain/browser';

export interface PodLike extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly {
      readonly state?: {
        readonly waiting?: { readonly reason?: string };
        readonly terminated?: { readonly reason?: string };
      };
    }[];
  };
}

export type Look = 'running' | 'pending' | 'succeeded' | 'failed';

const waitsForGood = /BackOff|Err|Invalid|Failed/;

export function phaseOf({ metadata, status = {} }: PodLike): { readonly look: Look; readonly words: string } {
  if (metadata.deletionTimestamp !== undefined) return { look: 'pending', words: 'Terminating' };
  const reasons = (status.containerStatuses ?? []).map(({ state }) => state?.waiting?.reason).filter(Boolean);
  if (reasons.length > 0)
    return { look: waitsForGood.test(reasons[0]!) ? 'failed' : 'pending', words: reasons[0]! };
  const { phase = 'Pending', reason } = status;
  const isReady = status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
  if (phase === 'Running')
    return isReady ? { look: 'running', words: 'Running' } : { look: 'pending', words: 'not ready' };
  return { look: phase.toLowerCase() as Look, words: reason ?? phase };
}
