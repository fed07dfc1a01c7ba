import { StatusError, type KubeObject } from '@coxswain/apimachinery';
import { int32, string, type FlagValues } from '@coxswain/cobra';
import { withTypedConfiguration } from '../apply/last-applied.ts';
import { command } from '../command.ts';
import { typesAndNames } from '../completion/resources.ts';
import type { CommandContext } from '../context.ts';
import { readDryRun } from '../flags/dry-run.ts';
import { printFlags } from '../flags/print.ts';
import {
  dryRunFlag,
  fieldManagerFlag,
  filenameFlags,
  recordFlag,
  saveConfigFlag,
} from '../flags/object-flags.ts';
import { readTarget, resourceMetric, type ResourceMetric } from '../generate/metric-targets.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import { mappingOf, type Info } from '../resource/info.ts';
import { mappingOfTarget, type CreateTarget, groupVersionOf, type ResourceMapping } from '../mapping.ts';
import { select } from '../resource/select.ts';
import { filled, newObject } from './create/create-object.ts';
import { recorded } from '../record/change-cause.ts';

const flags = {
  ...printFlags,
  ...dryRunFlag,
  ...fieldManagerFlag('kubectl-autoscale'),
  ...filenameFlags('that name what to scale'),
  ...saveConfigFlag,
  ...recordFlag,
  cpu: string({
    usage:
      'The target CPU: a percentage of what pods request, such as 70%, or an average per pod, such as 500m. A plain number is in m.',
  }),
  cpuPercent: int32({
    default: -1,
    usage: 'The target average CPU utilization, as a percentage of requested CPU.',
    deprecated:
      "Use --cpu with percentage or resource quantity format (e.g., '70%' for utilization or '500m' for milliCPU).",
  }),
  max: int32({ default: -1, usage: 'The upper limit for the number of pods.', required: true }),
  memory: string({
    usage:
      'The target memory: a percentage of what pods request, such as 60%, or an average per pod, such as 200Mi. A plain number is in Mi.',
  }),
  min: int32({
    default: -1,
    usage: 'The lower limit for the number of pods. If negative, the server applies a default.',
  }),
  name: string({ usage: 'The name of the new autoscaler. Defaults to the name of the object.' }),
};

type Flags = FlagValues<typeof flags>;

export const autoscale = command({
  use: 'autoscale (-f FILENAME | TYPE NAME | TYPE/NAME) [--min=MINPODS] --max=MAXPODS [--cpu=CPU] [--memory=MEMORY]',
  long: 'Create an autoscaler that sets the number of replicas of a workload according to its load.',
  example: `  # Between two and ten pods
  kubectl autoscale deployment web --min=2 --max=10

  # Aim at 80% of the processors that the pods request
  kubectl autoscale statefulset database --max=5 --cpu=80%`,
  disableFlagsInUseLine: true,
  complete: typesAndNames({ types: ['deployment', 'replicaset', 'replicationcontroller', 'statefulset'] }),
  flags,
  async run({ context, args, flags: given }) {
    const dryRun = readDryRun(context, given.dryRun);
    const metrics = readMetrics(given);
    const operation = dryRun === 'client' ? 'created' : 'autoscaled';
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
      continueOnError: true,
    });
    let count = 0;
    await selected.each(async (info) => {
      await requireScalable(context, mappingOf(info));
      const create = async (target: CreateTarget, generated: KubeObject): Promise<KubeObject> => {
        const autoscaler = recorded(context, generated);
        if (dryRun === 'client') return autoscaler;
        const helper = new ResourceHelper(await context.client(), mappingOfTarget(target));
        return helper.create(
          namespace,
          given.saveConfig ? await withTypedConfiguration(autoscaler) : autoscaler,
          {
            dryRun: dryRun === 'server',
            fieldManager: given.fieldManager,
          },
        );
      };
      const place = explicit ? namespace : '';
      const created = await createNewest(info, given, metrics, place, create);
      const print = await context.printer(given, { operation, dryRun, order: 'declared' });
      context.print(print(created));
      count++;
    });
    if (count === 0) throw new Error('no objects passed to autoscale');
  },
});

function readMetrics(given: Flags): readonly ResourceMetric[] {
  const { min, max, cpu, cpuPercent, memory } = given;
  if (max < 1) throw new Error(`--max=MAXPODS is required and must be at least 1, max: ${max}`);
  if (max < min) {
    throw new Error(`--max=MAXPODS must be larger or equal to --min=MINPODS, max: ${max}, min: ${min}`);
  }
  if (cpuPercent > 0 && cpu !== '') throw new Error('--cpu-percent and --cpu are mutually exclusive');
  const metrics: ResourceMetric[] = [];
  if (cpuPercent > 0) {
    metrics.push(resourceMetric('cpu', { type: 'Utilization', averageUtilization: cpuPercent }));
  }
  if (cpu !== '') metrics.push(resourceMetric('cpu', readTarget(cpu, 'cpu')));
  if (memory !== '') metrics.push(resourceMetric('memory', readTarget(memory, 'memory')));
  return metrics;
}

/** @throws Error if the resource has no scale subresource */
async function requireScalable(context: CommandContext, mapping: ResourceMapping): Promise<void> {
  const { group, version, resource, kind } = mapping;
  const { resources } = await (await (await context.connection()).mapper()).discover();
  const served = resources.find(
    (one) => one.group === group && one.version === version && one.resource === resource,
  );
  if (served?.subresources.some(({ name }) => name === 'scale')) return;
  throw new Error(
    `cannot autoscale a ${kind}: could not find scale subresource for ${group}/${version}, Resource=${resource} in discovery information`,
  );
}

/**
 * Uses autoscaling/v2, or v1 if the server refuses that and v1 can express the same. As upstream, only --cpu decides
 * about that.
 */
async function createNewest(
  info: Info,
  given: Flags,
  metrics: readonly ResourceMetric[],
  namespace: string,
  create: (target: CreateTarget, autoscaler: KubeObject) => Promise<KubeObject>,
): Promise<KubeObject> {
  const { kind } = mappingOf(info);
  const spec = {
    scaleTargetRef: { kind, name: info.name, apiVersion: groupVersionOf(mappingOf(info)) },
    ...(given.min > 0 ? { minReplicas: given.min } : {}),
    maxReplicas: given.max,
  };
  const name = given.name || info.name;
  const object = (target: CreateTarget, more: object, status: object): KubeObject =>
    newObject({ target, name, fields: { spec: { ...spec, ...more }, status } }, namespace);
  try {
    const status = { desiredReplicas: 0, currentMetrics: null };
    return await create(targetV2, object(targetV2, filled({ metrics }), status));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (given.cpu === '') throw incompatible('empty input');
    const isKnownToV1 = given.cpuPercent >= 0 || given.cpu.trim().endsWith('%');
    if (given.memory !== '' || !isKnownToV1) throw incompatible('%!w(<nil>)');
    const percent = given.cpuPercent < 0 ? {} : { targetCPUUtilizationPercentage: given.cpuPercent };
    return create(targetV1, object(targetV1, percent, { currentReplicas: 0, desiredReplicas: 0 }));
  }
}

const targetV2: CreateTarget = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  resource: 'horizontalpodautoscalers',
  namespaced: true,
};
const targetV1: CreateTarget = { ...targetV2, apiVersion: 'autoscaling/v1' };

const incompatible = (cause: string): Error =>
  new Error(
    `failed to create autoscaling/v2 HPA and the configuration is incompatible with autoscaling/v1: ${cause}`,
  );
