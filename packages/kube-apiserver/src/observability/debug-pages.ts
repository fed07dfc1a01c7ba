/** Installs the debugging pages that features and flags enable. */
import { flagz } from '@coxswain/apiserver/debug/flagz.ts';
import { installProfiles } from '@coxswain/apiserver/debug/profiles.ts';
import { statusz } from '@coxswain/apiserver/debug/statusz.ts';
import { installVerbosity } from '@coxswain/apiserver/debug/verbosity.ts';
import { installZPage } from '@coxswain/apiserver/debug/z-page.ts';
import type { PlainRoutes } from '@coxswain/apiserver/routing/plain-routes.ts';
import type { CompletedOptions } from '../server/completed-options.ts';
import { versionInfo } from '@coxswain/component-base/version.ts';

export function installDebugPages(
  plain: PlainRoutes,
  { clock, features, observability = {} }: CompletedOptions,
  listedPaths: () => readonly string[],
): void {
  const { flags, profiler, verbosity } = observability;
  if (flags !== undefined && features.enabled('ComponentFlagz')) installZPage(plain, flagz(flags));
  if (features.enabled('ComponentStatusz')) {
    const page = statusz({
      clock,
      startedAtMs: clock.now(),
      runtimeVersion: observability.runtimeVersion ?? versionInfo.goVersion,
      binaryVersion: (observability.gitVersion ?? versionInfo.gitVersion).slice(1),
      emulationVersion: `1.${features.version.emulated}`,
      listedPaths,
    });
    installZPage(plain, page);
  }
  if (profiler !== undefined) {
    installProfiles(plain, profiler);
    // As upstream, these are enabled together.
    if (verbosity !== undefined) installVerbosity(plain, verbosity);
  }
}
