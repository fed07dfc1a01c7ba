import { command } from '../../command.ts';
import { typesAndNames } from '../../completion/resources.ts';
import { recordFlag } from '../../flags/object-flags.ts';
import { splitPairs } from '../pairs.ts';
import { mapContainers, withPodSpec, type PodSpec } from './pod-specs.ts';
import { changeObjects, setSelectorFlags } from './change-objects.ts';

const imagedTypes = [
  'daemonsets',
  'deployments',
  'pods',
  'cronjobs',
  'replicasets',
  'replicationcontrollers',
  'statefulsets',
];

export const image = command({
  use: 'image (-f FILENAME | TYPE NAME) CONTAINER_NAME_1=CONTAINER_IMAGE_1 ... CONTAINER_NAME_N=CONTAINER_IMAGE_N',
  long: 'Set the container images in pods and pod templates. * selects all containers.',
  example: `  # Of one container
  kubectl set image deployment/web main=nginx:2

  # Of all containers of all deployments
  kubectl set image deployments --all '*=busybox'`,
  disableFlagsInUseLine: true,
  complete: typesAndNames({ types: imagedTypes, several: false }),
  flags: { ...setSelectorFlags, ...recordFlag },
  async run({ context, args, flags }) {
    const { resources, pairs } = splitPairs(args, 'image');
    const images = new Map(
      pairs
        .filter((pair) => pair.includes('='))
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );
    await changeObjects(context, flags, resources, {
      operation: 'image updated',
      failure: 'failed to patch image update to pod template: ',
      refusesLocalNames: true,
      reportsAllErrors: true,
      check: () => imageProblems(images),
      change: (object, _info, report) => withPodSpec(object, (spec) => withImages(spec, images, report)),
    });
  },
});

function imageProblems(images: ReadonlyMap<string, string>): readonly Error[] {
  if (images.size === 0) return [new Error('at least one image update is required')];
  if (images.size === 1 || !images.has('*')) return [];
  return [
    new Error(
      'all containers are already specified by *, but saw more than one container_name=container_image pairs',
    ),
  ];
}

/** Existing containers get their images even if others are missing. */
function withImages(
  spec: PodSpec,
  images: ReadonlyMap<string, string>,
  report: (problem: Error) => void,
): PodSpec {
  const names = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].map(({ name }) => name);
  for (const name of images.keys()) {
    const isThere = name === '*' ? names.length > 0 : names.includes(name);
    if (!isThere) report(new Error(`error: unable to find container named "${name}"`));
  }
  return mapContainers(spec, (container) => {
    const wanted = images.get('*') ?? images.get(container.name);
    return wanted === undefined ? container : { ...container, image: wanted };
  });
}
