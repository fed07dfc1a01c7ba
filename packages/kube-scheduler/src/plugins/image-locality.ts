import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Cluster } from '../framework/cluster.ts';
import { plugin } from '../framework/plugin.ts';
import { nodeScoreMax } from './normalize-score.ts';

const mebibyte = 1024 * 1024;
/** Smaller images don't affect the choice of a node. */
const bytesMin = 23 * mebibyte;
/** The maximum that counts per container. */
const bytesMaxPerContainer = 1000 * mebibyte;

/**
 * Prefers nodes that have the pod's images, discounting images that few nodes have, so that these don't become hot
 * spots.
 */
export const imageLocality = plugin<undefined, ImageState>({
  name: 'ImageLocality',
  preScore: ({ pod }, _nodes, cluster) => ({ state: imageState(pod, cluster) }),
  scoresNodeAlone: ({ images }) => images.length === 0,
  score(_pod, node, { images, bytesMax }) {
    let bytes = 0;
    for (const { name, share } of images) bytes += Math.trunc((node.imageSizes.get(name) ?? 0) * share);
    if (bytes <= bytesMin) return 0;
    return Math.trunc((nodeScoreMax * (Math.min(bytes, bytesMax) - bytesMin)) / (bytesMax - bytesMin));
  },
});

interface ImageState {
  /** The images present on some node, with the fraction of nodes that have them. */
  readonly images: readonly { readonly name: string; readonly share: number }[];
  readonly bytesMax: number;
}

function imageState(pod: Pod, cluster: Cluster): ImageState {
  const containers = (pod.spec?.containers.length ?? 0) + (pod.spec?.initContainers?.length ?? 0);
  const images = imagesOf(pod)
    .map((name) => ({ name, share: cluster.imageNodeCount(name) / cluster.nodes.length }))
    .filter(({ share }) => share > 0);
  return { images, bytesMax: bytesMaxPerContainer * containers };
}

const imagesOf = (pod: Pod): string[] => [
  ...(pod.spec?.initContainers ?? []).map((container) => normalizedImage(container.image ?? '')),
  ...(pod.spec?.containers ?? []).map((container) => normalizedImage(container.image ?? '')),
  ...(pod.spec?.volumes ?? []).flatMap(({ image }) =>
    image ? [normalizedImage(image.reference ?? '')] : [],
  ),
];

/** Adds the default tag, as nodes report images. */
const normalizedImage = (name: string): string =>
  name.lastIndexOf(':') <= name.lastIndexOf('/') ? `${name}:latest` : name;
