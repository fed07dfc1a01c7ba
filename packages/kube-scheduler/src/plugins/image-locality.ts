import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { Cluster } from '../framework/cluster.ts';
import { plugin } from '../framework/plugin.ts';
import { nodeScoreMax } from './normalize-score.ts';

const mebibyte = 1024 * 1024;
/** Images smaller than this are not worth choosing a node for. */
const bytesMin = 23 * mebibyte;
/** Counted for one container at most. */
const bytesMaxPerContainer = 1000 * mebibyte;

/** Prefers nodes that have the pod's images, discounting images that few nodes have, lest these run hot. */
export const imageLocality = plugin<undefined, readonly string[]>({
  name: 'ImageLocality',
  preScore: ({ pod }) => ({ state: imagesOf(pod) }),
  score(info, node, images, cluster) {
    const containers = (info.pod.spec?.containers.length ?? 0) + (info.pod.spec?.initContainers?.length ?? 0);
    const bytesMax = bytesMaxPerContainer * containers;
    const bytes = images.reduce((sum, image) => sum + spreadBytes(node, image, cluster), 0);
    const clamped = Math.min(Math.max(bytes, bytesMin), bytesMax);
    return Math.trunc((nodeScoreMax * (clamped - bytesMin)) / (bytesMax - bytesMin));
  },
});

function spreadBytes(node: NodeInfo, image: string, cluster: Cluster): number {
  const bytes = node.imageSizes.get(image);
  if (bytes === undefined) return 0;
  return Math.trunc(bytes * (cluster.imageNodeCount(image) / cluster.nodes.length));
}

const imagesOf = (pod: Pod): string[] => [
  ...(pod.spec?.initContainers ?? []).map((container) => normalizedImage(container.image ?? '')),
  ...(pod.spec?.containers ?? []).map((container) => normalizedImage(container.image ?? '')),
  ...(pod.spec?.volumes ?? []).flatMap(({ image }) =>
    image ? [normalizedImage(image.reference ?? '')] : [],
  ),
];

/** With a tag, as nodes report images. */
const normalizedImage = (name: string): string =>
  name.lastIndexOf(':') <= name.lastIndexOf('/') ? `${name}:latest` : name;
