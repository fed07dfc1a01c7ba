import { isIPv6, type Server, type Socket } from 'node:net';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { stringSlice } from '@coxswain/cobra';
import {
  portForwardOver,
  portForwardProtocol,
  tunnelPrefix,
  webSocketTunnel,
  type PortForwardConnection,
} from '@coxswain/streaming';
import { command, usageError } from '../command.ts';
import { completePodsAndPorts } from '../completion/pods.ts';
import type { CommandContext } from '../context.ts';
import { podRunningTimeoutFlag, runningTimeoutProblem } from '../flags/pod-running-timeout.ts';
import type { Pod } from '../logs/containers.ts';
import { podFor } from '../streams/attachable-pod.ts';
import { listen, listenAddresses, listenFailure, type ListenAddress } from '../streams/listeners.ts';
import { forwardedPorts, meantPorts, type ForwardedPort } from '../streams/ports.ts';
import { openUpgraded } from '../streams/upgrade.ts';

const portForward = command({
  use: 'port-forward TYPE/NAME [options] [LOCAL_PORT:]REMOTE_PORT [...[LOCAL_PORT_N:]REMOTE_PORT_N]',
  long: 'Forward local ports to a pod. The session ends when the pod does.',
  example: `  # Ports 5000 and 6000, here and there
  kubectl port-forward pod/web 5000 6000

  # Port 8080 here to the port of a service that is called https
  kubectl port-forward service/web 8080:https

  # Any free port here, on all addresses
  kubectl port-forward --address 0.0.0.0 pod/web :5000`,
  disableFlagsInUseLine: true,
  complete: completePodsAndPorts,
  flags: {
    ...podRunningTimeoutFlag(),
    address: stringSlice({
      default: ['localhost'],
      usage:
        'Addresses to listen on (IP addresses or localhost, comma separated). localhost means 127.0.0.1 and ::1; one of them must be available.',
    }),
  },
  async run(invocation) {
    const { context, args, flags: given } = invocation;
    const [subject = '', ...texts] = args;
    if (args.length < 2)
      throw usageError(invocation, 'TYPE/NAME and list of ports are required for port-forward');
    const problem = runningTimeoutProblem(given);
    if (problem !== undefined) throw usageError(invocation, problem);
    const { pod, object } = await podFor(context, {
      args: [subject],
      timeoutMs: given.podRunningTimeout,
      action: 'forward ports of',
    });
    const meant = meantPorts(texts, object, pod);
    if (pod.status?.phase !== 'Running')
      throw new Error(
        `unable to forward port because pod is not running. Current status=${pod.status?.phase ?? ''}`,
      );
    const ports = forwardedPorts(meant);
    const addresses = listenAddresses(given.address);
    const connection = await connect(context, pod);
    await forwardUntilStopped(context, connection, ports, addresses);
  },
});

export { portForward as 'port-forward' };

async function connect(context: CommandContext, { metadata }: Pod): Promise<PortForwardConnection> {
  const { kind, socket, head } = await openUpgraded(context, {
    path: `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/portforward`,
    webSocketProtocols: [tunnelPrefix + portForwardProtocol],
    spdyProtocols: [portForwardProtocol],
  }).catch((failure: Error) => {
    throw new Error(`error upgrading connection: ${failure.message}`, { cause: failure });
  });
  return kind === 'spdy'
    ? portForwardOver(socket, head)
    : portForwardOver(webSocketTunnel({ socket, head, side: 'client' }));
}

async function forwardUntilStopped(
  context: CommandContext,
  connection: PortForwardConnection,
  ports: readonly ForwardedPort[],
  addresses: readonly ListenAddress[],
): Promise<void> {
  const stopped = Promise.withResolvers<'stopped'>();
  const putBack = context.io.onInterrupt?.(() => stopped.resolve('stopped'));
  context.signal?.addEventListener('abort', () => stopped.resolve('stopped'), { once: true });
  const servers: Server[] = [];
  try {
    for (const port of ports) {
      try {
        servers.push(...(await listenOn(context, connection, port, addresses)));
      } catch (failure) {
        context.printError(`Unable to listen on port ${port.local}: ${messageOf(failure)}\n`);
      }
    }
    if (servers.length === 0) {
      const list = ports.map(({ local, remote }) => `{${local} ${remote}}`).join(' ');
      throw new Error(`unable to listen on any of the requested ports: [${list}]`);
    }
    const end = await Promise.race([stopped.promise, connection.closed]);
    if (end !== 'stopped') throw new Error('lost connection to pod');
  } finally {
    putBack?.();
    for (const server of servers) server.close();
    connection.close();
  }
}

async function listenOn(
  context: CommandContext,
  connection: PortForwardConnection,
  { local, remote }: ForwardedPort,
  addresses: readonly ListenAddress[],
): Promise<Server[]> {
  const servers: Server[] = [];
  const failures: string[] = [];
  let isFatal = false;
  // The second address of localhost gets the same port as the first.
  let port = local;
  for (const place of addresses) {
    const { address } = place;
    try {
      const listening = await listen(place, port, (socket, localPort) =>
        carry(context, connection, socket, localPort, remote),
      );
      port = listening.port;
      servers.push(listening.server);
      const host = isIPv6(address) ? `[${address}]` : address;
      context.print(`Forwarding from ${host}:${port} -> ${remote}\n`);
    } catch (failure) {
      failures.push(listenFailure(failure as Error, address, port));
      isFatal ||= !place.isOptional;
    }
  }
  if (failures.length === 0 || (servers.length > 0 && !isFatal)) return servers;
  for (const server of servers) server.close();
  throw new Error(`Listeners failed to create with the following errors: [${failures.join(' ')}]`);
}

/** Handles one connection to its end; its failure is reported and affects nothing else. */
function carry(
  context: CommandContext,
  connection: PortForwardConnection,
  socket: Socket,
  local: number,
  remote: number,
): void {
  context.print(`Handling connection for ${local}\n`);
  socket.on('error', () => socket.destroy());
  connection.forward(remote).then(
    ({ data, failure }) => {
      socket.pipe(data).pipe(socket);
      data.on('close', () => socket.destroySoon());
      socket.on('close', () => data.destroy());
      whenFulfilled(failure, (text) => {
        if (text === '') return;
        const reported = `an error occurred forwarding ${local} -> ${remote}: ${text}`;
        context.log('E', `"Unhandled Error" err=${JSON.stringify(reported)}`);
        socket.destroy();
        // The pod may have been replaced by now; upstream gives up, too.
        connection.close();
      });
    },
    (failure: Error) => {
      const reported = `error creating forwarding stream for port ${local} -> ${remote}: ${failure.message}`;
      context.log('E', `"Unhandled Error" err=${JSON.stringify(reported)}`);
      socket.destroy();
    },
  );
}
