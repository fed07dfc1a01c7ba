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

/** @param ready the ready count that another column displays: `0/1` */
export function toneOfCell(content: string, ready?: string): Tone | undefined {
  if (content === 'Running' && ready !== undefined) return toneOfCell(ready);
  const parts = counts.exec(content);
  if (parts !== null) return parts[2] === '0' ? 'idle' : parts[1] === parts[2] ? 'ok' : 'warn';
  const tones = content.split(',').map((word) => words[word] ?? (troubled.test(word) ? 'bad' : undefined));
  return tones.includes('bad') ? 'bad' : tones.includes('warn') ? 'warn' : tones[0];
}
