/** Compares the maturity of a group's versions by their names. */

export const isAlpha = (version: string): boolean => version.includes('alpha');

/** v1alpha1 < v1alpha2 < v1beta1 < v1 < v2 */
export const isBefore = (a: string, b: string): boolean => rankOf(a) < rankOf(b);

function rankOf(version: string): number {
  const [, major = '0', stage, minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  const stageRank = stage === undefined ? 2 : stage === 'beta' ? 1 : 0;
  return stageRank * 10_000 + Number(major) * 100 + Number(minor);
}
