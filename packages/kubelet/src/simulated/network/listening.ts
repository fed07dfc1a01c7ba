/** Which simulated containers listen on which ports. */

import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { annotation } from '../annotations.ts';
import { behaviourOf } from '../behaviour.ts';
import { imagePorts } from './image-ports.ts';

/**
 * Containers listen on the TCP ports that they declare, and on those of the annotation `sim.coxswain.io/listen`; one
 * that runs the program of its image, on those that this is known to open, too. Where nothing of a pod is declared or
 * known, such programs listen on every port: whoever runs `app:1` without a word expects it to serve.
 */
export function listensOn(pod: Pod, container: Container, port: number): boolean {
  const asked = annotation(pod, 'listen')?.split(',').map(Number);
  if (asked?.includes(port) === true || tcpPorts(container).includes(port)) return true;
  if (!isServer(pod, container)) return false;
  const known = imagePorts(container.image ?? '');
  if (known !== undefined) return known.includes(port);
  return asked === undefined && containersOf(pod).flatMap(tcpPorts).length === 0;
}

const containersOf = ({ spec }: Pod): readonly Container[] => [
  ...(spec?.initContainers ?? []),
  ...(spec?.containers ?? []),
];

const tcpPorts = ({ ports = [] }: Container): readonly number[] =>
  ports.flatMap(({ containerPort, protocol }) =>
    (protocol ?? 'TCP') === 'TCP' && containerPort !== undefined ? [containerPort] : [],
  );

/** It runs what its image is for, or a command of which nobody knows. */
function isServer(pod: Pod, container: Container): boolean {
  if (container.stdin) return false;
  const { end, loop, process } = behaviourOf(pod, container);
  return end === undefined && loop === undefined && process === undefined;
}
