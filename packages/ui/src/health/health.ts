/** How something is, and the first reason why it is not well, in words of the object itself. */

import type { Tone } from '../controls/tone.tsx';

export interface Health {
  readonly tone: Tone;
  /** One word, as kubectl has it: `Running`, `CrashLoopBackOff`, `NotReady`. */
  readonly state: string;
  /** A sentence; empty where all is well, or nothing says why. */
  readonly reason: string;
}

export const isUnwell = ({ tone }: Health): boolean => tone === 'bad' || tone === 'warn';
