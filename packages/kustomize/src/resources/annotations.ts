/** Annotations in which a build keeps information about a resource; they are removed from the result. */

const domain = 'internal.config.kubernetes.io';

export const buildAnnotations = {
  previousKinds: `${domain}/previousKinds`,
  previousNames: `${domain}/previousNames`,
  previousNamespaces: `${domain}/previousNamespaces`,
  prefixes: `${domain}/prefixes`,
  suffixes: `${domain}/suffixes`,
  allowNameChange: `${domain}/allowNameChange`,
  allowKindChange: `${domain}/allowKindChange`,
  referredBy: `${domain}/refBy`,
  behavior: `${domain}/generatorBehavior`,
  needsHashSuffix: `${domain}/needsHashSuffix`,
} as const;

/** Removed from the result of a build. */
export const removedAnnotations: readonly string[] = [
  ...Object.values(buildAnnotations),
  `${domain}/path`,
  `${domain}/index`,
  `${domain}/seqindent`,
  `${domain}/id`,
  `${domain}/annotations-migration-resource-id`,
  'config.kubernetes.io/path',
  'config.kubernetes.io/index',
  'config.k8s.io/id',
  `${domain}/helm-generated`,
];

/** Preserved by JSON patches. */
export const survivesJsonPatch = (key: string): boolean =>
  key.startsWith(domain) ||
  key === 'config.kubernetes.io/path' ||
  key === 'config.kubernetes.io/index' ||
  key === 'config.k8s.io/id';

export const originAnnotation = 'config.kubernetes.io/origin';
export const transformationsAnnotation = 'alpha.config.kubernetes.io/transformations';
export const localConfigAnnotation = 'config.kubernetes.io/local-config';
export const helmGeneratedAnnotation = `${domain}/helm-generated`;
export const enabled = 'enabled';
