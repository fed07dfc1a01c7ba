/** `--emulated-version` and related flags. */
import {
  effectiveVersion,
  isEmulation,
  versionProblems,
} from '@coxswain/component-base/effective-version.ts';
import type { ApiServerFlags } from './effective-flags.ts';

type ForwardFlags = Pick<
  ApiServerFlags,
  'emulationForwardCompatible' | 'runtimeConfigEmulationForwardCompatible'
>;
type VersionFlags = ForwardFlags & Pick<ApiServerFlags, 'emulatedVersion' | 'minCompatibilityVersion'>;

/** @throws Error with upstream's message for an invalid version */
export const versionOf = ({ emulatedVersion, minCompatibilityVersion }: VersionFlags) =>
  effectiveVersion(emulatedVersion, minCompatibilityVersion);

/** @throws Error with upstream's message for an invalid version */
export function emulationProblems(flags: VersionFlags): readonly string[] {
  const version = versionOf(flags);
  return [...versionProblems(version), ...(isEmulation(version) ? [] : forwardProblems(flags))];
}

const forwardProblems = (flags: ForwardFlags): readonly string[] =>
  [
    flags.emulationForwardCompatible ? 'EmulationForwardCompatible' : [],
    flags.runtimeConfigEmulationForwardCompatible ? 'RuntimeConfigEmulationForwardCompatible' : [],
  ]
    .flat()
    .map(
      (option) =>
        `ServerRunOptions.${option} cannot be set to true if the emulation version is the same as the binary version`,
    );
