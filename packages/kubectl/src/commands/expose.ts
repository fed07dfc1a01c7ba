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
      typed: true,
      continueOnError: true,
    });
    const services = new ServiceGenerator(given, explicit && dryRun === 'client' ? namespace : '');
    await selected.each(async (info) => {
      const generated = recorded(
        context,
        await overridden(context, services.serviceFor(objectOf(info) as Exposable), given),
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

type Labels = Readonly<Record<string, string>>;

interface MatchExpression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

interface Exposable extends KubeObject {
  readonly spec?: NonNullable<Template['spec']> & {
    readonly selector?: Record<string, string> & {
      matchLabels?: Record<string, string>;
      matchExpressions?: MatchExpression[];
    };
    readonly template?: Template;
    readonly ports?: readonly ContainerPort[];
  };
}

/** What one object tells counts for those after it, too, where the flags say nothing: the original keeps it. */
class ServiceGenerator {
  readonly #given: Flags;
  readonly #namespace: string;
  #selector: Labels | undefined;
  #labels: Labels;
  #port: string;
  /** Of an object with more than one, and then before `#port`. */
  #ports: readonly string[] = [];
  #protocols: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(given: Flags, namespace: string) {
    this.#given = given;
    this.#namespace = namespace;
    this.#port = given.port;
    this.#labels = {};
  }

  serviceFor(object: Exposable): KubeObject {
    if (!exposedKinds.has(object.kind ?? '')) throw new Error(`cannot expose a ${groupKindOf(object)}`);
    this.#learn(object);
    const { selector, labels, name, ...given } = this.#given;
    const ownSelector = selector === '' ? this.#selector : readLabels(selector);
    if (ownSelector === undefined) throw new Error('selector must be specified');
    const ownLabels = labels === '' ? this.#labels : readLabels(labels);
    const spec = filled({
      ports: this.#servicePorts(),
      selector: ownSelector,
      clusterIP: given.clusterIp,
      type: given.type,
      externalIPs: given.externalIp === '' ? [] : [given.externalIp],
      sessionAffinity: given.sessionAffinity,
      loadBalancerIP: given.type === 'LoadBalancer' ? given.loadBalancerIp : '',
    });
    if (!['', 'None', 'ClientIP'].includes(given.sessionAffinity))
      throw new Error(`unknown session affinity: ${given.sessionAffinity}`);
    return newObject(
      {
        target: targets.service,
        name: name || (object.metadata.name ?? '').slice(0, nameLengthMax),
        metadata: filled({ labels: ownLabels }),
        fields: { spec, status: { loadBalancer: {} } },
      },
      this.#namespace,
    );
  }

  #learn(object: Exposable): void {
    if (this.#given.selector === '' && this.#selector === undefined) {
      const selector = selectorOf(object);
      if (Object.keys(selector).length > 0) this.#selector = selector;
    }
    const protocols = protocolsOf(object);
    if (this.#port === '') {
      const [first, ...others] = protocols.keys();
      if (first === undefined && this.#given.clusterIp !== 'None')
        throw new Error("couldn't find port via --port flag or introspection");
      if (others.length > 0) this.#ports = [first!, ...others];
      else this.#port = first ?? '';
    }
    if (protocols.size > 0) this.#protocols = protocols;
    if (Object.keys(this.#labels).length === 0) this.#labels = object.metadata.labels ?? {};
  }

  #servicePorts(): ServicePort[] {
    const single = this.#port === '' ? [] : this.#port.split(',');
    const numbers = this.#ports.length > 0 ? this.#ports : single;
    const { protocol: wanted, targetPort } = this.#given;
    return numbers.flatMap((text, index) => {
      const port = readPort(text);
      const known = this.#protocols.get(text) ?? ['TCP'];
      const name = numbers.length > 1 ? `port-${index + 1}` : '';
      return (wanted === '' ? known : [wanted]).map((protocol, _, { length }) => ({
        ...filled({ name: length > 1 ? `port-${index + 1}-${protocol.toLowerCase()}` : name }),
        protocol,
        port,
        targetPort: targetPort === '' ? port : readTargetPort(targetPort),
      }));
    });
  }
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
  if (Object.keys(spec?.selector?.matchLabels ?? {}).length === 0)
    throw noSelector(`invalid ${kind.toLowerCase()}: no selectors, therefore cannot be exposed`);
  const expressions = spec?.selector?.matchExpressions ?? [];
  if (expressions.length > 0)
    throw noSelector(
      `couldn't convert expressions - "[${expressions.map(expressionText).join(' ')}]" to map-based selector format`,
    );
  return spec?.selector?.matchLabels ?? {};
}

/** As Go prints the struct. */
const expressionText = ({ key, operator, values = [] }: MatchExpression): string =>
  `{Key:${key} Operator:${operator} Values:[${values.join(' ')}]}`;

/** Ports in the order they are declared in, each once, with all its protocols. */
function protocolsOf({ spec }: Exposable): ReadonlyMap<string, readonly string[]> {
  const containers = spec?.template?.spec?.containers ?? spec?.containers ?? [];
  const ports = spec?.ports ?? containers.flatMap(({ ports: own = [] }) => own);
  const byNumber = Map.groupBy(ports, ({ containerPort, port }) => String(containerPort ?? port ?? 0));
  return new Map([...byNumber].map(([number, of]) => [number, of.map(({ protocol }) => protocol || 'TCP')]));
}
