/** What strategic merge must know of pods and of what makes pods, without asking a server for its OpenAPI. */
import type { PatchRule, PatchSchema } from './patch-schema.ts';

/** Lists that merge, by the names of their fields: none of them means something else elsewhere in these kinds. */
const mergeKeys: Readonly<Record<string, string>> = {
  containers: 'name',
  env: 'name',
  ephemeralContainers: 'name',
  hostAliases: 'ip',
  imagePullSecrets: 'name',
  initContainers: 'name',
  topologySpreadConstraints: 'topologyKey',
  volumeDevices: 'devicePath',
  volumeMounts: 'mountPath',
};

/** For changes of containers and of what is no list; those of other lists replace. */
export const podPatchSchema: PatchSchema = {
  field: (name): PatchRule =>
    mergeKeys[name] === undefined
      ? {
          strategies: [],
          mergeKey: undefined,
          child: podPatchSchema,
        }
      : { strategies: ['merge'], mergeKey: mergeKeys[name], child: podPatchSchema },
};
