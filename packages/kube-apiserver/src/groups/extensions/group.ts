/** Kinds that started here and later moved to groups of their own; upstream has removed all of them. */
import { appsGroup } from '../apps/group.ts';
import { networkingGroup } from '../networking/group.ts';
import { policyGroup } from '../policy/group.ts';
import { legacyVersion, type Group } from '../resource.ts';

const isHere = (one: { readonly group: string }): boolean => one.group === 'extensions';

export const extensionsGroup: Group = {
  name: 'extensions',
  versions: [legacyVersion('v1beta1')],
  resources: [appsGroup, networkingGroup, policyGroup]
    .flatMap(({ resources }) => resources)
    .filter(({ alsoAs }) => alsoAs.some(({ kind }) => isHere(kind))),
};
