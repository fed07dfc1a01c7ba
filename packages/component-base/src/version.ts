/** Build information of this program. */
export const versionInfo = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.3',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'coxswain',
  compiler: 'coxswain',
  platform: 'linux/amd64',
} as const;
