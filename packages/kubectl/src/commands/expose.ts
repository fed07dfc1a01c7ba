import { mappingOfTarget } from '../mapping.ts';
import { groupKindOf } from '../rollout/no-visitor.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { string, type FlagValues } from '@coxswain/cobra';
import { withTypedConfiguration } from '../apply/last-applied.ts';
import { command } from '../command.ts';
import { typesAndNames } from '../completion/resources.ts';
import { readDryRun } from '../flags/dry-run.ts';
import { printFlags } from '../flags/print.ts';
import {
  dryRunFlag,
  fieldManagerFlag,
  filenameFlags,
  recordFlag,
  saveConfigFlag,
} from '../flags/object-flags.ts';
import { overridden, overrideFlags } from '../generate/overrides.ts';
import { readPort, readTargetPort, type ServicePort } from '../generate/ports.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import { objectOf } from '../resource/info.ts';
import { select } from '../resource/select.ts';
import { filled, newObject, targets } from './create/create-object.ts';
import { readLabels } from '../generate/labels.ts';
import { recorded } from '../record/change-cause.ts';

const flags = {
  ...printFlags,
  ...dryRunFlag,
  ...fieldManagerFlag('kubectl-expose'),
  ...filenameFlags('that name what to expose'),
  ...saveConfigFlag,
  ...recordFlag,
  ...overrideFlags,
  clusterIp: string({ usage: 'The cluster IP address of the service. None creates a headless service.' }),
  externalIp: string({ usage: 'Additional external IP address for the service.' }),
  labels: string({ shorthand: 'l', usage: 'Labels to apply to the service.' }),
  loadBalancerIp: string({
    usage: 'The IP address of the load balancer. Chosen by the load balancer if unset.',
  }),
  name: string({ usage: 'The name of the new service.' }),
  port: string({ usage: 'The port or ports of the service. Defaults to those of the object.' }),
  protocol: string({ usage: 'The network protocol of the service: TCP, UDP or SCTP. Defaults to TCP.' }),
  selector: string({ usage: 'A label selector for the service. Defaults to that of the object.' }),
  sessionAffinity: string({ usage: "The session affinity of the service: 'None' or 'ClientIP'." }),
  targetPort: string({ usage: 'The name or number of the container port behind the service.' }),
  type: string({ usage: 'The type of the service: ClusterIP, NodePort, LoadBalancer or ExternalName.' }),
};

type Flags = FlagValues<typeof flags>;

/** The maximum length of a label value, and thus of a service name. */
const nameLengthMax = 63;

export const expose = command({
  use: 'expose (-f FILENAME | TYPE NAME) [--port=port] [--protocol=TCP|UDP|SCTP] [--target-port=number-or-name] [--name=name] [--external-ip=external-ip-of-service] [--type=type]',
  long: 'Create a service for a pod, a service or a workload. The selector, and by default the ports, are those of the object.',
  example: `  # Port 80 of the service is port 8000 of the pods
  kubectl expose deployment web --port=80 --target-port=8000

  # A second service for the same pods
  kubectl expose service web --port=443 --name=web-https`,
  disableFlagsInUseLine: true,
  complete: typesAndNames({ types: ['pod', 'service', 'replicationcontroller', 'deployment', 'replicaset'] }),
  flags,
  async run({ context, args, flags: given }) {
    const dryRun = readDryRun(context, given.dryRun);
    const print = await context.printer(given, { operation: 'exposed', dryRun, order: 'declared' });
    // Reports a missing server configuration before looking up the object.
    await context.client();
    const { namespace, explicit } = await context.namespace();
    const selected = await select(context, {
      args,
      filenames: given.filename,
      kustomize: given.kustomize,
      recursive: given.recursive,
      namespace,
      requireNamespace: explicit,
      latest: true,
      typed: true,
      continueOnError: true,
    });
    await selected.each(async (info) => {
      const generated = recorded(
        context,
        await overridden(
          context,
          serviceFor(objectOf(info) as Exposable, given, explicit && dryRun === 'client' ? namespace : ''),
          given,
        ),
      );
      if (dryRun === 'client') return context.print(print(generated));
      const service = given.saveConfig ? await withTypedConfiguration(generated) : generated;
      const helper = new ResourceHelper(await context.client(), mappingOfTarget(targets.service));
      const options = { dryRun: dryRun === 'server', fieldManager: given.fieldManager };
      context.print(print(await helper.create(info.namespace || namespace, service, options)));
    });
  },
});

interface ContainerPort {
  readonly containerPort?: number;
  readonly port?: number;
  readonly protocol?: string;
}

interface Template {
  readonly spec?: { readonly containers?: readonly { readonly ports?: readonly ContainerPort[] }[] };
}

interface Exposable extends KubeObject {
  readonly spec?: NonNullable<Template['spec']> & {
    readonly selector?: Record<string, string> & {
      matchLabels?: Record<string, string>;
      matchExpressions?: unknown[];
    };
    readonly template?: Template;
    readonly ports?: readonly ContainerPort[];
  };
}

function serviceFor(object: Exposable, given: Flags, namespace: string): KubeObject {
  if (!exposedKinds.has(object.kind ?? '')) throw new Error(`cannot expose a ${groupKindOf(object)}`);
  const selector = given.selector === '' ? selectorOf(object) : readLabels(given.selector);
  const ports = portsFor(object, given);
  const labels = given.labels === '' ? (object.metadata.labels ?? {}) : readLabels(given.labels);
  const spec = filled({
    ports,
    selector,
    clusterIP: given.clusterIp,
    type: given.type,
    externalIPs: given.externalIp === '' ? [] : [given.externalIp],
    sessionAffinity: given.sessionAffinity,
    loadBalancerIP: given.loadBalancerIp,
  });
  if (!['', 'None', 'ClientIP'].includes(given.sessionAffinity))
    throw new Error(`unknown session affinity: ${given.sessionAffinity}`);
  const name = given.name || (object.metadata.name ?? '').slice(0, nameLengthMax);
  return newObject(
    {
      target: targets.service,
      name,
      metadata: filled({ labels }),
      fields: { spec, status: { loadBalancer: {} } },
    },
    namespace,
  );
}

const exposedKinds: ReadonlySet<string> = new Set([
  'Deployment',
  'Pod',
  'ReplicaSet',
  'ReplicationController',
  'Service',
]);

const noSelector = (what: string) =>
  new Error(`couldn't retrieve selectors via --selector flag or introspection: ${what}`);

function selectorOf(object: Exposable): Record<string, string> {
  const { kind = '', metadata, spec } = object;
  if (kind === 'Pod') {
    if (Object.keys(metadata.labels ?? {}).length === 0)
      throw noSelector('the pod has no labels and cannot be exposed');
    return metadata.labels ?? {};
  }
  if (kind === 'Service' || kind === 'ReplicationController') {
    if (!spec?.selector)
      throw noSelector(
        `the ${kind === 'Service' ? 'service' : 'replication controller'} has no pod selector set`,
      );
    return spec.selector;
  }
  if (spec?.selector?.matchExpressions?.length)
    throw noSelector("couldn't convert expressions to map-based selector format");
  return spec?.selector?.matchLabels ?? {};
}

function portsFor({ spec }: Exposable, given: Flags): ServicePort[] {
  const containers = spec?.template?.spec?.containers ?? spec?.containers ?? [];
  const known = spec?.ports ?? containers.flatMap(({ ports = [] }) => ports);
  const numbers =
    given.port === ''
      ? known.map(({ containerPort, port }) => String(containerPort ?? port ?? 0))
      : given.port.split(',');
  if (numbers.length === 0) throw new Error("couldn't find port via --port flag or introspection");
  return numbers.map((text, index) => {
    const port = readPort(text);
    const protocol = known.find(
      ({ containerPort, port: number }) => (containerPort ?? number) === port,
    )?.protocol;
    return {
      ...(numbers.length > 1 ? { name: `port-${index + 1}` } : {}),
      protocol: given.protocol || protocol || 'TCP',
      port,
      targetPort: given.targetPort === '' ? port : readTargetPort(given.targetPort),
    };
  });
}
