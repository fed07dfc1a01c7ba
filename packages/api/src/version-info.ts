import * as t from '@coxswain/schema';

/** The response of `/version`. */
export const VersionInfo = t.struct('version/Info', {
  major: t.always(0, t.string, { required: true }),
  minor: t.always(0, t.string, { required: true }),
  emulationMajor: t.optional(0, t.string),
  emulationMinor: t.optional(0, t.string),
  minCompatibilityMajor: t.optional(0, t.string),
  minCompatibilityMinor: t.optional(0, t.string),
  gitVersion: t.always(0, t.string, { required: true }),
  gitCommit: t.always(0, t.string, { required: true }),
  gitTreeState: t.always(0, t.string, { required: true }),
  buildDate: t.always(0, t.string, { required: true }),
  goVersion: t.always(0, t.string, { required: true }),
  compiler: t.always(0, t.string, { required: true }),
  platform: t.always(0, t.string, { required: true }),
});
export interface VersionInfo extends t.Static<typeof VersionInfo> {}
