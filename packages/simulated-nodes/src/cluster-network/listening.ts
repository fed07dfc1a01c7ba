/** Which simulated containers listen on which ports. */

import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { annotation } from '../behaviour/annotations.ts';
import { behaviourOf } from '../behaviour/behaviour.ts';
import type { HttpServer } from '../network/http-message.ts';
import { imagePorts } from './image-ports.ts';

/** What runs in a container whose image somebody has defined. */
export interface ListeningProgram {
  listensOn(port: number): boolean;
  /** @param client the address of who is connected */
  server(port: number, client: string): HttpServer;
}

/** The program that runs in a container; undefined for one whose image nobody has defined. */
export type FindProgram = (pod: Pod, container: string) => ListeningProgram | undefined;

export const noPrograms: FindProgram = () => undefined;

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
