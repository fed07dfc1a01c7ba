/** Which flags of `coxswain trace` go together: what would have no effect is refused, instead of being ignored. */

import { clusterFlags } from '@coxswain/kube-apiserver/flags/cluster-flags.ts';

/** What can be recorded; all flags have an effect on a new cluster. */
type Source = UselessWith | 'new';
type UselessWith = 'from' | 'attach' | 'running';

/** Each with where it has no effect, and why. */
const useless: Readonly<Record<string, readonly UselessWith[]>> = {
  before: ['from', 'attach'],
  filename: ['from', 'attach'],
  nodes: ['from', 'attach', 'running'],
  legacyApis: ['from', 'attach', 'running'],
  ...Object.fromEntries(
    Object.keys(clusterFlags).map((name) => [name, ['from', 'attach', 'running'] as const]),
  ),
  kubeconfig: ['from'],
  fresh: ['from', 'attach'],
  for: ['from'],
  follow: ['from', 'attach'],
  lifecycle: ['from', 'attach', 'running'],
  break: ['from', 'attach', 'running'],
  functions: ['from', 'attach', 'running'],
};

const reasons: Readonly<Record<UselessWith, (flag: string) => string>> = {
  from: (flag) => `${flag} has no effect on a recording that was saved: leave it out, or leave out --from`,
  attach: (flag) => `${flag} has no effect with --attach, which runs no command and starts no cluster`,
  running: (flag) => `${flag} needs a new cluster, without --kubeconfig and $KUBECONFIG (or with --fresh)`,
};

/** @throws Error that names the first flag that has no effect */
export function refuseUseless(source: Source, changed: (key: never) => boolean): void {
  if (source === 'new') return;
  for (const [key, sources] of Object.entries(useless))
    if (sources.includes(source) && changed(key as never))
      throw new Error(
        reasons[source](`--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`),
      );
}
