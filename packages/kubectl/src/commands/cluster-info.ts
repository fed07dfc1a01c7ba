import type * as core from '@coxswain/api/core/v1/index.ts';
import { lazy } from '@coxswain/cobra';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import type { KubeObject, Live } from '@coxswain/apimachinery';

/** The label of services that belong to the cluster itself. */
const clusterServiceSelector = 'kubernetes.io/cluster-service=true';

export const clusterInfo = command({
  use: 'cluster-info',
  long: 'Show the addresses of the control plane and of cluster services.',
  example: `  # Where the cluster is
  kubectl cluster-info`,
  disableFlagsInUseLine: true,
  commands: [
    lazy({
      name: 'dump',
      short: 'Dump cluster information for troubleshooting',
      load: async () => (await import('./cluster-info-dump.ts')).clusterInfoDump,
    }),
  ],
  async run(invocation) {
    const { context } = invocation;
    try {
      await printServices(context);
    } finally {
      context.print("\nTo further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.\n");
    }
  },
});

async function printServices(context: CommandContext): Promise<void> {
  const client = await context.client();
  const services = await (await context.mapper()).forArgument('services');
  const list = (await new ResourceHelper(client, services).list(context.globals.namespace || 'kube-system', {
    labelSelector: clusterServiceSelector,
  })) as KubeObject & { items?: Service[] };
  const line = (name: string, address: string) => context.print(`${name} is running at ${address}\n`);
  line('Kubernetes control plane', client.server);
  for (const service of list.items ?? []) {
    line(nameOf(service), balancedAddress(service) ?? `${client.server}${proxyPath(service)}`);
  }
}

type Service = Live<core.Service>;

/** The address of the load balancer with all its ports. */
function balancedAddress({ spec, status }: Service): string | undefined {
  const ingress = status?.loadBalancer?.ingress?.[0];
  if (ingress === undefined) return undefined;
  return (spec?.ports ?? [])
    .map(({ port }) => `http://${ingress.ip || ingress.hostname || ''}:${port} `)
    .join('');
}

const nameOf = ({ metadata }: Service): string =>
  metadata.labels?.['kubernetes.io/name'] ?? metadata.name ?? '';

function proxyPath({ metadata, spec }: Service): string {
  const port = spec?.ports?.[0];
  const scheme = port?.name === 'https' || port?.port === 443 ? 'https:' : '';
  const suffix = port?.name ? `:${port.name}` : scheme === '' ? '' : ':';
  return `/api/v1/namespaces/${metadata.namespace}/services/${scheme}${metadata.name}${suffix}/proxy`;
}
