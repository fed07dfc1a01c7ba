/** What a container of an image that is defined by the user does after it has started. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { behaviourOf, isInit, type Behaviour } from '../behaviour/behaviour.ts';
import type { ImageDefinition } from './image-definition.ts';

export function definedBehaviour(
  pod: Pod,
  container: Container,
  { run, logs = [] }: ImageDefinition,
): Behaviour {
  const own = { ready: true, held: false, isDefined: true, output: logs };
  const asked = behaviourOf(pod, container);
  if (asked.isAsked || asked.end?.reason !== undefined) return { ...asked, isDefined: true, output: logs };
  const { command = [], args = [] } = container;
  if (command.length > 0) return { ...own, process: [...command, ...args] };
  return run === undefined && isInit(pod, container) ? { ...own, end: { afterMs: 0, exitCode: 0 } } : own;
}

/** It runs the program of its image. */
export const runsOwnProgram = ({ command = [] }: Container): boolean => command.length === 0;
