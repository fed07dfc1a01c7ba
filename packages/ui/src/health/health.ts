/** The health of an object, and the first reason why it is not well, in the object's own words. */

import type { Tone } from '../controls/tone.tsx';

export interface Health {
  readonly tone: Tone;
  /** One word, as in kubectl: `Running`, `CrashLoopBackOff`, `NotReady`. */
  readonly state: string;
  /** A sentence; empty if all is well or the reason is unknown. */
  readonly reason: string;
}

export const isUnwell = ({ tone }: Health): boolean => tone === 'bad' || tone === 'warn';
