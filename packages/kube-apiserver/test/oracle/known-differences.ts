/** Recorded cases that this server answers otherwise, each with the reason. Everything else has to agree. */

const quotedPatch = 'the refusal quotes the patched object without the empty members that the original has';
const addressForm = 'no warning about addresses that are not in their canonical form';

export const knownDifferences: Readonly<Record<string, string>> = {
  'authz/selector-attributes': 'selectors of access reviews are not validated',
  'legacy-versions/old-version-in-body':
    'autoscaling/v2beta2 counts as a known version, not as an unknown one',
  'lifecycle/daemonsets': quotedPatch,
  'lifecycle/events-new': quotedPatch,
  'lifecycle/flowschemas': quotedPatch,
  'values/address-1': addressForm,
  'values/address-2': addressForm,
  'values/block-2': addressForm,
};
