/** What strategic merge must know about pods and their controllers, without asking a server for its OpenAPI. */
import type { PatchRule, PatchSchema } from './patch-schema.ts';

/** Merged lists by field name: none of the names has another meaning elsewhere in these kinds. */
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

/** For changes of containers and of anything but lists; other lists are replaced. */
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
