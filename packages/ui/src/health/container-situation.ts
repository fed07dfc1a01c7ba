/** The situation of a container, in the words of its status. */

import type { Live } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Tone } from '../controls/tone.tsx';
import { inLanguages } from '../language/language.ts';

export type ContainerStatus = NonNullable<NonNullable<Live<Pod>['status']>['containerStatuses']>[number];

export interface ContainerSituation {
  readonly tone: Tone;
  /** `Running`, `CrashLoopBackOff`, `Completed` */
  readonly name: string;
  readonly note: string;
}

const text = inLanguages(
  { exit: (code: number, why: string) => `exit code ${code}${why && `: ${why}`}` },
  { exit: (code: number, why: string) => `退出码 ${code}${why && `：${why}`}` },
);

/** `exit code 1: connection refused` */
export const exitText = (code: number, why = ''): string => text().exit(code, why);

/** States that every container passes through at its start. */
const usual: ReadonlySet<string> = new Set(['', 'ContainerCreating', 'PodInitializing']);

export function containerSituation({
  running,
  terminated,
  waiting,
}: NonNullable<ContainerStatus['state']>): ContainerSituation {
  if (running !== undefined) return { tone: 'ok', name: 'Running', note: '' };
  if (terminated !== undefined) {
    const { exitCode, reason, message } = terminated;
    return {
      tone: exitCode === 0 ? 'idle' : 'bad',
      name: reason || 'Terminated',
      note: exitText(exitCode, message),
    };
  }
  const { reason = '', message = '' } = waiting ?? {};
  return { tone: usual.has(reason) ? 'warn' : 'bad', name: reason || 'Waiting', note: message };
}
