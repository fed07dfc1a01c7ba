/** Kinds that the server knows at all, served or not: a body of another one is refused in other words. */
import { groupVersionFolders, kindsOf } from '@coxswain/api/group-versions.ts';
import type { Kind } from '@coxswain/schema';

/** What the original has forgotten since 1.20: everything else of that time is still known to it. */
const forgotten: ReadonlySet<string> = new Set([
  'auditregistration.k8s.io/v1alpha1',
  'autoscaling/v2beta1',
  'autoscaling/v2beta2',
  'settings.k8s.io/v1alpha1',
]);
/** Documents that only go over the wire. */
export const unregisteredGroups: ReadonlySet<string> = new Set(['apidiscovery.k8s.io', 'meta.k8s.io']);
const forgottenKinds: ReadonlySet<string> = new Set(['PodSecurityPolicy']);

export const isForgotten = ({ apiVersion, kind }: Pick<Kind, 'apiVersion' | 'kind'>): boolean =>
  forgotten.has(apiVersion) || forgottenKinds.has(kind);

/** `legacy`: a server that is asked for the versions of 1.20 knows them all. */
export const registeredKinds =
  ({ legacy }: { readonly legacy: boolean }) =>
  (apiVersion: string, name: string): Kind | undefined => {
    const kind = allKinds().get(`${apiVersion} ${name}`);
    return kind === undefined || (!legacy && isForgotten(kind)) ? undefined : kind;
  };

let known: ReadonlyMap<string, Kind> | undefined;

const allKinds = (): ReadonlyMap<string, Kind> =>
  (known ??= new Map(
    groupVersionFolders.flatMap((folder) =>
      kindsOf(folder)
        .filter(({ group }) => !unregisteredGroups.has(group))
        .map((kind) => [`${kind.apiVersion} ${kind.kind}`, kind] as const),
    ),
  ));
