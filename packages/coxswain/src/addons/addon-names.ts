/** The add-ons for simulated clusters, by name. */

export const addonNames = ['storage', 'load-balancers', 'ingress-class'] as const;
export type AddonName = (typeof addonNames)[number];

/** @throws Error for an unknown name */
export function addonsNamed(names: readonly string[]): readonly AddonName[] {
  return names
    .filter((name) => name !== '')
    .map((name) => {
      const known = addonNames.find((one) => one === name);
      if (known !== undefined) return known;
      throw new Error(`unknown add-on "${name}": must be one of ${addonNames.join(', ')}`);
    });
}
