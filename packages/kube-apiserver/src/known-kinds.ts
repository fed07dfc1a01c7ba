/** All kinds that the server knows, served or not: a body of an unknown kind gets a different error. */
import { groupVersionDirectories, kindsOf } from '@coxswain/api/group-versions.ts';
import type { Kind } from '@coxswain/schema';

/** Kinds that upstream has removed since 1.20; it still knows all others of that time. */
const forgotten: ReadonlySet<string> = new Set([
  'auditregistration.k8s.io/v1alpha1',
  'autoscaling/v2beta1',
  'autoscaling/v2beta2',
  'settings.k8s.io/v1alpha1',
]);
/** Documents that exist only on the wire. */
export const unregisteredGroups: ReadonlySet<string> = new Set(['apidiscovery.k8s.io', 'meta.k8s.io']);
const forgottenKinds: ReadonlySet<string> = new Set(['PodSecurityPolicy']);

export const isForgotten = ({ apiVersion, kind }: Pick<Kind, 'apiVersion' | 'kind'>): boolean =>
  forgotten.has(apiVersion) || forgottenKinds.has(kind);

/** `legacy`: a server that is asked for the versions of 1.20 knows all of them. */
export const registeredKinds =
  ({ legacy }: { readonly legacy: boolean }) =>
  (apiVersion: string, name: string): Kind | undefined => {
    const kind = allKinds().get(`${apiVersion} ${name}`);
    return kind === undefined || (!legacy && isForgotten(kind)) ? undefined : kind;
  };

let known: ReadonlyMap<string, Kind> | undefined;

const allKinds = (): ReadonlyMap<string, Kind> =>
  (known ??= new Map(
    groupVersionDirectories.flatMap((directory) =>
      kindsOf(directory)
        .filter(({ group }) => !unregisteredGroups.has(group))
        .map((kind) => [`${kind.apiVersion} ${kind.kind}`, kind] as const),
    ),
  ));
