/** The versions in which progress notifications don't overtake events (etcd-io/etcd#15220), as upstream lists them. */
const fixedIn: readonly (readonly [number, number, number])[] = [
  [3, 4, 31],
  [3, 5, 13],
];

/** @param version `3.5.13` */
export function hasTrueProgress(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const fix = fixedIn.find(([one, two]) => one === major && two === minor);
  if (fix !== undefined) return patch >= fix[2];
  return major > 3 || (major === 3 && minor > 5);
}
