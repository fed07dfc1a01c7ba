/** The addons of simulated clusters, by their names. */

export const addonNames = ['storage', 'load-balancers', 'ingress-class'] as const;
export type AddonName = (typeof addonNames)[number];

/** @throws Error for a name that there is not */
export function addonsNamed(names: readonly string[]): readonly AddonName[] {
  return names
    .filter((name) => name !== '')
    .map((name) => {
      const known = addonNames.find((one) => one === name);
      if (known !== undefined) return known;
      throw new Error(`unknown add-on "${name}": must be one of ${addonNames.join(', ')}`);
    });
}
