import { command } from '../../command.ts';
import { typesAndNames } from '../../completion/resources.ts';
import { recordFlag } from '../../flags/shared.ts';
import { splitPairs } from '../pairs.ts';
import { mapContainers, withPodSpec, type PodSpec } from './pod-specs.ts';
import { changeObjects, requireObjects, setSelectorFlags } from './shared.ts';

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
  long: 'Set the images of the containers of pods and of what makes pods. A * is every container.',
  example: `  # Of one container
  kubectl set image deployment/web main=nginx:2

  # Of all containers of all deployments
  kubectl set image deployments --all '*=busybox'`,
  disableFlagsInUseLine: true,
  complete: typesAndNames({ types: imagedTypes, several: false }),
  flags: { ...setSelectorFlags, ...recordFlag },
  async run({ context, args, flags }) {
    const { resources, pairs } = splitPairs(args, 'image');
    requireObjects(resources, flags);
    const images = new Map(
      pairs
        .filter((pair) => pair.includes('='))
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );
    if (images.size === 0) throw new Error('at least one image update is required');
    if (images.size > 1 && images.has('*'))
      throw new Error(
        'all containers are already specified by *, but saw more than one container_name=container_image pairs',
      );
    await changeObjects(context, flags, resources, {
      operation: 'image updated',
      failure: 'failed to patch image update to pod template: ',
      refusesLocalNames: true,
      change: (object, info) => withPodSpec(object, info, (spec) => withImages(spec, images)),
    });
  },
});

function withImages(spec: PodSpec, images: ReadonlyMap<string, string>): PodSpec {
  const names = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].map(({ name }) => name);
  const missing = [...images.keys()].find((name) => name !== '*' && !names.includes(name));
  if (missing !== undefined) throw new Error(`error: unable to find container named "${missing}"`);
  return mapContainers(spec, (container) => {
    const wanted = images.get('*') ?? images.get(container.name);
    return wanted === undefined ? container : { ...container, image: wanted };
  });
}
