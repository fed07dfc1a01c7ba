import { int, lazy, string, stringSlice } from '@coxswain/cobra';
import { checkPortName, checkPortNumber, checkDnsSubdomain } from '@coxswain/apimachinery/names.ts';
import { command, nameFromArguments, showHelpOnErrorOrRefuse, type Invocation } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { createFlags, creating, filled, targets, type CreateFlags } from './create-object.ts';

const tcpFlag = { tcp: stringSlice({ usage: "Port pairs in the format '<port>:<targetPort>'." }) };

interface ServiceOptions {
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
  readonly clusterIP?: string;
  readonly nodePort?: number;
  readonly externalName?: string;
}

type ServiceFlags = CreateFlags & { readonly tcp: readonly string[] };

async function createService(
  invocation: Invocation<CommandContext>,
  flags: ServiceFlags,
  options: ServiceOptions,
): Promise<void> {
  const name = nameFromArguments(invocation);
  const create = await creating(invocation, flags);
  const { type, clusterIP = '', nodePort = 0, externalName = '' } = options;
  if (clusterIP === 'None' && type !== 'ClusterIP')
    throw new Error('ClusterIP=None can only be used with ClusterIP service type');
  if (clusterIP !== 'None' && flags.tcp.length === 0 && type !== 'ExternalName') {
    throw new Error('at least one tcp port specifier must be provided');
  }
  if (type === 'ExternalName' && checkDnsSubdomain(externalName).length > 0) {
    throw new Error(`invalid service external name ${externalName}`);
  }
  const ports = flags.tcp.map((text) => ({
    name: text.replaceAll(':', '-'),
    protocol: 'TCP',
    ...parsePorts(text),
    ...(nodePort === 0 ? {} : { nodePort }),
  }));
  await create({
    target: targets.service,
    name,
    metadata: { labels: { app: name } },
    fields: {
      spec: filled({ ports, selector: { app: name }, clusterIP, type, externalName }),
      status: { loadBalancer: {} },
    },
    failure: `failed to create ${type} service: `,
  });
}

/** Accepts `80`, `80:8080` or `80:http`. */
function parsePorts(text: string): { port: number; targetPort: number | string } {
  const [first = '', second] = text.split(':');
  const port = parsePort(first);
  if (second === undefined) return { port, targetPort: port };
  const isNumber = /^[-+]?\d+$/.test(second);
  const reasons = isNumber ? checkPortNumber(Number(second)) : checkPortName(second);
  if (reasons.length > 0) throw new Error(reasons.join(','));
  return { port, targetPort: isNumber ? Number(second) : second };
}

/** @throws Error with the message of Go's strconv */
function parsePort(text: string): number {
  if (!/^\+?\d+$/.test(text))
    throw new Error(`strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`);
  const port = Number(text);
  if (port > 65_535)
    throw new Error(`strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range`);
  return port;
}

export const clusterip = command({
  use: 'clusterip NAME [--tcp=<port>:<targetPort>] [--dry-run=server|client|none]',
  long: 'Create a service with a cluster IP address.',
  example: `  # With an address of the cluster
  kubectl create service clusterip web --tcp=80:8080

  # Without an address, for DNS only
  kubectl create service clusterip web --clusterip=None`,
  disableFlagsInUseLine: true,
  flags: {
    ...createFlags,
    ...tcpFlag,
    clusterip: string({ usage: 'The cluster IP address of the service, or None for a headless service.' }),
  },
  run: (invocation) =>
    createService(invocation, invocation.flags, { type: 'ClusterIP', clusterIP: invocation.flags.clusterip }),
});

export const nodeport = command({
  use: 'nodeport NAME [--tcp=port:targetPort] [--dry-run=server|client|none]',
  long: 'Create a service with a port on every node.',
  example: `  # On a port of the nodes
  kubectl create service nodeport web --tcp=80:8080`,
  disableFlagsInUseLine: true,
  flags: {
    ...createFlags,
    ...tcpFlag,
    nodePort: int({ usage: 'The port to expose the service on each node.' }),
  },
  run: (invocation) =>
    createService(invocation, invocation.flags, { type: 'NodePort', nodePort: invocation.flags.nodePort }),
});

export const loadbalancer = command({
  use: 'loadbalancer NAME [--tcp=port:targetPort] [--dry-run=server|client|none]',
  long: 'Create a service behind a load balancer.',
  example: `  # Behind a load balancer
  kubectl create service loadbalancer web --tcp=80:8080`,
  disableFlagsInUseLine: true,
  flags: { ...createFlags, ...tcpFlag },
  run: (invocation) => createService(invocation, invocation.flags, { type: 'LoadBalancer' }),
});

export const externalname = command({
  use: 'externalname NAME --external-name external.name [--dry-run=server|client|none]',
  long: 'Create a service that is an alias of an external host name.',
  example: `  # For a database elsewhere
  kubectl create service externalname database --external-name db.example.com`,
  disableFlagsInUseLine: true,
  flags: {
    ...createFlags,
    ...tcpFlag,
    externalName: string({ usage: 'The external name of the service.', required: true }),
  },
  run: (invocation) =>
    createService(invocation, invocation.flags, {
      type: 'ExternalName',
      externalName: invocation.flags.externalName,
    }),
});

export const service = command({
  use: 'service',
  long: 'Create a service of the given type.',
  disableFlagsInUseLine: true,
  commands: [
    lazy({ name: 'clusterip', short: 'Create a ClusterIP service', load: async () => clusterip }),
    lazy({ name: 'externalname', short: 'Create an ExternalName service', load: async () => externalname }),
    lazy({
      name: 'loadbalancer',
      short: 'Create a LoadBalancer service',
      load: async () => loadbalancer,
    }),
    lazy({ name: 'nodeport', short: 'Create a NodePort service', load: async () => nodeport }),
  ],
  run: showHelpOnErrorOrRefuse,
});
