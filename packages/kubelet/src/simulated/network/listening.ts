/** Which simulated containers listen on which ports. */

import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { behaviourOf } from '../behaviour.ts';

/**
 * Containers listen on the TCP ports that they declare. Where no container of a pod declares one, those that run
 * their image's own program listen on every port: `kubectl create deployment web --image=nginx` declares none, and
 * who runs it expects it to serve.
 */
export function listensOn(pod: Pod, container: Container, port: number): boolean {
  const declared = (pod.spec?.containers ?? []).flatMap(tcpPorts);
  return declared.length > 0 ? tcpPorts(container).includes(port) : isServer(pod, container);
}

const tcpPorts = ({ ports = [] }: Container): readonly number[] =>
  ports.flatMap(({ containerPort, protocol }) =>
    (protocol ?? 'TCP') === 'TCP' && containerPort !== undefined ? [containerPort] : [],
  );

function isServer(pod: Pod, container: Container): boolean {
  if (container.stdin) return false;
  const { end, loop, process } = behaviourOf(pod, container);
  return end === undefined && loop === undefined && process === undefined;
}
