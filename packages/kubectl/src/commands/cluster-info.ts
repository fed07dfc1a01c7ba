import { lazy } from '@coxswain/cobra';
import { command, usageError } from '../command.ts';
import { ResourceHelper } from '../resource/helper.ts';
import type { KubeObject } from '@coxswain/apimachinery';

/** Services that belong to the cluster itself carry this label. */
const clusterServiceSelector = 'kubernetes.io/cluster-service=true';

export const clusterInfo = command({
  use: 'cluster-info',
  long: 'Show the addresses of the control plane and of the services that belong to the cluster.',
  example: `  # Where the cluster is
  kubectl cluster-info`,
  disableFlagsInUseLine: true,
  commands: [
    lazy({
      name: 'dump',
      short: 'Dump what is needed to find faults',
      load: async () => (await import('./cluster-info-dump.ts')).clusterInfoDump,
    }),
  ],
  async run(invocation) {
    const { context, args } = invocation;
    if (args.length > 0) throw usageError(invocation, `unknown command "${args.join(' ')}"`);
    const client = await context.client();
    const services = await (await context.mapper()).forArgument('services');
    context.print(`Kubernetes control plane is running at ${client.server}\n`);
    const list = (await new ResourceHelper(client, services).list('kube-system', {
      labelSelector: clusterServiceSelector,
    })) as KubeObject & { items?: Service[] };
    for (const service of list.items ?? [])
      context.print(`${nameOf(service)} is running at ${client.server}${proxyPath(service)}\n`);
    context.print("\nTo further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.\n");
  },
});

interface Service extends KubeObject {
  readonly spec?: { readonly ports?: readonly { readonly name?: string; readonly port: number }[] };
}

const nameOf = ({ metadata }: Service): string =>
  metadata.labels?.['kubernetes.io/name'] ?? metadata.name ?? '';

function proxyPath({ metadata, spec }: Service): string {
  const port = spec?.ports?.[0];
  const scheme = port?.name === 'https' || port?.port === 443 ? 'https:' : '';
  const suffix = port?.name ? `:${port.name}` : scheme === '' ? '' : ':';
  return `/api/v1/namespaces/${metadata.namespace}/services/${scheme}${metadata.name}${suffix}/proxy`;
}
