/** The order of preference of versions: `v2`, `v1`, `v2beta1`, `v1alpha2`, then everything else by name. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  if (left === undefined || right === undefined) {
    if (left !== undefined) return -1;
    if (right !== undefined) return 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return right.stage - left.stage || right.major - left.major || right.minor - left.minor;
}

const stages = ['alpha', 'beta', ''];

function parse(version: string) {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version);
  if (match === null) return undefined;
  const [, major, stage = '', minor = '0'] = match;
  return { major: Number(major), stage: stages.indexOf(stage), minor: Number(minor) };
}
