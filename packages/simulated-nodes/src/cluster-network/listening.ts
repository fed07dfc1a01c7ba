/** Decides which simulated containers listen on which ports. */

import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { annotation } from '../behaviour/annotations.ts';
import { behaviourOf } from '../behaviour/behaviour.ts';
import type { HttpServer } from '../network/http-message.ts';
import { imagePorts } from '../behaviour/image-ports.ts';

/** The program in a container whose image is defined by the user, or is known to serve files. */
export interface ListeningProgram {
  /** Whether its server is also reached by clients that use TLS. */
  readonly speaksTls: boolean;
  listensOn(port: number): boolean;
  /** @param client the address of the client */
  server(port: number, client: string): HttpServer;
}

/** Finds the program of a container; undefined if its image has none. */
export type FindProgram = (pod: Pod, container: string) => ListeningProgram | undefined;

export const noPrograms: FindProgram = () => undefined;

/**
 * Containers listen on the TCP ports that they declare and on those in the annotation `sim.coxswain.io/listen`. If a
 * container runs the program of its image, it also listens on the ports that this program is known to open. If nothing
 * is declared or known, such a program listens on every port, since an image without further information is most likely
 * a server.
 */
export function listensOn(pod: Pod, container: Container, port: number): boolean {
  const asked = annotation(pod, 'listen')?.split(',').map(Number);
  if (asked?.includes(port) === true || tcpPorts(container).includes(port)) return true;
  if (!isServer(pod, container)) return false;
  const known = imagePorts(container.image ?? '');
  if (known !== undefined) return known.includes(port);
  return asked === undefined && containersOf(pod).flatMap(tcpPorts).length === 0;
}

/** The ports on which a container certainly listens; those of an unknown server are not known. */
export function knownPorts(pod: Pod, container: Container): readonly number[] {
  const asked = annotation(pod, 'listen')?.split(',').map(Number) ?? [];
  const candidates = [...asked, ...tcpPorts(container), ...(imagePorts(container.image ?? '') ?? [])];
  return candidates.filter((port) => listensOn(pod, container, port));
}

const containersOf = ({ spec }: Pod): readonly Container[] => [
  ...(spec?.initContainers ?? []),
  ...(spec?.containers ?? []),
];

const tcpPorts = ({ ports = [] }: Container): readonly number[] =>
  ports.flatMap(({ containerPort, protocol }) =>
    (protocol ?? 'TCP') === 'TCP' && containerPort !== undefined ? [containerPort] : [],
  );

/** Whether it runs the program of its image, or a command that is unknown. */
function isServer(pod: Pod, container: Container): boolean {
  if (container.stdin) return false;
  const { end, loop, process } = behaviourOf(pod, container);
  return end === undefined && loop === undefined && process === undefined;
}
