/** The tone of a cell in which the server prints a state, by the words that Kubernetes' own printers use. */

import type { Tone } from '../../controls/tone.tsx';

const words: Readonly<Record<string, Tone>> = {
  Running: 'ok',
  Ready: 'ok',
  Active: 'ok',
  Bound: 'ok',
  Available: 'ok',
  Approved: 'ok',
  Complete: 'idle',
  Completed: 'idle',
  Succeeded: 'idle',
  Normal: 'idle',
  Released: 'idle',
  Terminating: 'info',
  Suspended: 'idle',
  Pending: 'warn',
  ContainerCreating: 'warn',
  PodInitializing: 'warn',
  Warning: 'warn',
  SchedulingDisabled: 'warn',
  Unknown: 'warn',
  NotReady: 'bad',
  Failed: 'bad',
  Error: 'bad',
  Lost: 'bad',
  Evicted: 'bad',
  Denied: 'bad',
};

const troubled = /(?:BackOff|Err(?:or)?\w*|Invalid\w*|OOMKilled|Unschedulable)$/;
const counts = /^(\d+)\/(\d+)$/;

/** @param qualifiedBy what another column displays: the ready count `0/1`, or for such a count, how many are up to date */
export function toneOfCell(content: string, qualifiedBy?: string): Tone | undefined {
  if (content === 'Running' && qualifiedBy !== undefined) return toneOfCell(qualifiedBy);
  const [, count, wanted] = counts.exec(content) ?? [];
  if (wanted !== undefined) {
    const isUpToDate = qualifiedBy === undefined || Number(qualifiedBy) >= Number(wanted);
    return wanted === '0' ? 'idle' : count === wanted && isUpToDate ? 'ok' : 'warn';
  }
  const tones = content.split(',').map((word) => words[word] ?? (troubled.test(word) ? 'bad' : undefined));
  return tones.includes('bad') ? 'bad' : tones.includes('warn') ? 'warn' : tones[0];
}
