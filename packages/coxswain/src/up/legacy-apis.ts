/** `--legacy-apis` is short for a `--runtime-config`. */
export const withLegacyApis = <F extends { readonly legacyApis: boolean; readonly runtimeConfig: string }>(
  flags: F,
): F =>
  flags.legacyApis
    ? { ...flags, runtimeConfig: ['api/legacy=true', flags.runtimeConfig].filter(Boolean).join(',') }
    : flags;
