import { always, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

/** What `/version` answers. */
export const VersionInfo = struct('version/Info', {
  major: always(0, string, { required: true }),
  minor: always(0, string, { required: true }),
  emulationMajor: optional(0, string),
  emulationMinor: optional(0, string),
  minCompatibilityMajor: optional(0, string),
  minCompatibilityMinor: optional(0, string),
  gitVersion: always(0, string, { required: true }),
  gitCommit: always(0, string, { required: true }),
  gitTreeState: always(0, string, { required: true }),
  buildDate: always(0, string, { required: true }),
  goVersion: always(0, string, { required: true }),
  compiler: always(0, string, { required: true }),
  platform: always(0, string, { required: true }),
});
export interface VersionInfo extends Static<typeof VersionInfo> {}
